/** The declared datasets and their description in the API. */
@NullMarked
package dev.windrow.gather.datasets;

import org.jspecify.annotations.NullMarked;
