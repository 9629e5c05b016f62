/** The result file, and the page generated from it. */
@NullMarked
package dev.windrow.bench.page;

import org.jspecify.annotations.NullMarked;
