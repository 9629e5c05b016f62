/** Values over time: of one label, of many together, or in groups. */
@NullMarked
package dev.windrow.gather.series;

import org.jspecify.annotations.NullMarked;
