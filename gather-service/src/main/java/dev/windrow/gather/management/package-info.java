/** What operators use: health and metrics. */
@NullMarked
package dev.windrow.gather.management;

import org.jspecify.annotations.NullMarked;
