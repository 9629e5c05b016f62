/** The experiments, with the targets that their numbers must meet. */
@NullMarked
package dev.windrow.bench.experiment;

import org.jspecify.annotations.NullMarked;
