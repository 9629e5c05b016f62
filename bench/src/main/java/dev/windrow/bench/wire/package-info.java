/** DynamoDB and SQS in AWS's JSON protocol over HTTP, on loopback. */
@NullMarked
package dev.windrow.bench.wire;

import org.jspecify.annotations.NullMarked;
