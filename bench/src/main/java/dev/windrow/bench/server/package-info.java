/** In-memory SQS and DynamoDB that speak AWS's protocol on loopback; DynamoDB with counted writes and recorded responses. */
@NullMarked
package dev.windrow.bench.server;

import org.jspecify.annotations.NullMarked;
