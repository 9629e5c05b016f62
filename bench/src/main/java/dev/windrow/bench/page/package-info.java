/** The result file, and the page made from it. */
@NullMarked
package dev.windrow.bench.page;

import org.jspecify.annotations.NullMarked;
