/** DynamoDB Local and ElasticMQ in one JVM, for development, tests and the quick start. */
@NullMarked
package dev.windrow.local;

import org.jspecify.annotations.NullMarked;
