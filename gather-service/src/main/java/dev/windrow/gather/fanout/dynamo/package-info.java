/**
 * Reads shards with DynamoDB's Query: through the AWS SDK, or by its wire protocol.
 */
@NullMarked
package dev.windrow.gather.fanout.dynamo;

import org.jspecify.annotations.NullMarked;
