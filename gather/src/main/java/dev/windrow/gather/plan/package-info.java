/** From parameters to reads: labels, ranges, tiles, zones, roll-ups, freshness, cursors. Pure. */
@NullMarked
package dev.windrow.gather.plan;

import org.jspecify.annotations.NullMarked;
