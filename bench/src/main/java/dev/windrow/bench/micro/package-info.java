/** Microbenchmarks of the hot pure parts. */
@NullMarked
package dev.windrow.bench.micro;

import org.jspecify.annotations.NullMarked;
