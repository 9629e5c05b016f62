/** Measures Windrow against baselines and generates the page of results. */
@NullMarked
package dev.windrow.bench;

import org.jspecify.annotations.NullMarked;
