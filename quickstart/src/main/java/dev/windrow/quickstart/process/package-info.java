/** The processes of the quick start, none of which outlives it. */
@NullMarked
package dev.windrow.quickstart.process;

import org.jspecify.annotations.NullMarked;
