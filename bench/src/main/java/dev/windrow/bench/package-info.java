/** Measures Windrow against baselines and makes the page of results. */
@NullMarked
package dev.windrow.bench;

import org.jspecify.annotations.NullMarked;
