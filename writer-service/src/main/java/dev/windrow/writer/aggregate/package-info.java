/** Adds up what messages contribute to each bucket item, and says when to flush it. */
@NullMarked
package dev.windrow.writer.aggregate;

import org.jspecify.annotations.NullMarked;
