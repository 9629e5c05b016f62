/** The experiments: what is run, and which numbers it must show. */
@NullMarked
package dev.windrow.bench.experiment;

import org.jspecify.annotations.NullMarked;
