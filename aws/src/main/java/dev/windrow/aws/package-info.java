/**
 * Requests to AWS without the SDK, for the few operations that happen all the time.
 */
@NullMarked
package dev.windrow.aws;

import org.jspecify.annotations.NullMarked;
