/** Plans a question: which granularity, and which shards of which epochs. */
@NullMarked
package dev.windrow.gather.query;

import org.jspecify.annotations.NullMarked;
