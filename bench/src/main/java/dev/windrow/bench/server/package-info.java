/** SQS with its messages in memory, and DynamoDB with recorded answers and counted writes, in AWS's protocol on loopback. */
@NullMarked
package dev.windrow.bench.server;

import org.jspecify.annotations.NullMarked;
