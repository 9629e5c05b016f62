/** What operators use: health, metrics, and operations on the management port. */
@NullMarked
package dev.windrow.writer.management;

import org.jspecify.annotations.NullMarked;
