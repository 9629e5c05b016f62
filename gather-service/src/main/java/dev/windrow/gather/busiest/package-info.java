/** The busiest buckets, and profiles by hour or weekday. */
@NullMarked
package dev.windrow.gather.busiest;

import org.jspecify.annotations.NullMarked;
