/** From parameters to reads: labels, ranges, tiles, zones, roll-ups, freshness, cursors. No I/O. */
@NullMarked
package dev.windrow.gather.plan;

import org.jspecify.annotations.NullMarked;
