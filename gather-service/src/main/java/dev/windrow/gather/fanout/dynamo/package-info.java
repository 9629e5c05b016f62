/**
 * Reads shards, lanes and items by DynamoDB's wire protocol; the SDK only supplies endpoint and credentials.
 */
@NullMarked
package dev.windrow.gather.fanout.dynamo;

import org.jspecify.annotations.NullMarked;
