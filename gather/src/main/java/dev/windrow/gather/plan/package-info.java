/** From parameters to reads: labels, tiles, freshness, cursors. No I/O. */
@NullMarked
package dev.windrow.gather.plan;

import org.jspecify.annotations.NullMarked;
