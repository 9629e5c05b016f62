/** SQS and DynamoDB in memory, in AWS's protocol on loopback; DynamoDB with counted writes and recorded answers. */
@NullMarked
package dev.windrow.bench.server;

import org.jspecify.annotations.NullMarked;
