/** The declared datasets, and what the API says about them. */
@NullMarked
package dev.windrow.gather.datasets;

import org.jspecify.annotations.NullMarked;
