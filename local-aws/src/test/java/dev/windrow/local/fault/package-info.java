/**
 * A proxy that stands between a service and DynamoDB or SQS, and loses, delays, refuses or reshapes what passes, for tests.
 */
@NullMarked
package dev.windrow.local.fault;

import org.jspecify.annotations.NullMarked;
