/** Ranges of time: what a request asks for, and which part of it buckets that exist sum up. */
@NullMarked
package dev.windrow.gather.range;

import org.jspecify.annotations.NullMarked;
