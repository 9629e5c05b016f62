/**
 * What operators look at: health and metrics.
 */
@NullMarked
package dev.windrow.gather.manage;

import org.jspecify.annotations.NullMarked;
