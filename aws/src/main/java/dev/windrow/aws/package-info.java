/** Requests to AWS without the SDK, for the few frequent operations. */
@NullMarked
package dev.windrow.aws;

import org.jspecify.annotations.NullMarked;
