/** Requests to AWS without the SDK, for the few operations that are frequent. */
@NullMarked
package dev.windrow.aws;

import org.jspecify.annotations.NullMarked;
