/** Shared by the gatherer's tests: fake servers, simulated time, and items as the writer writes them. */
@NullMarked
package dev.windrow.gather.testing;

import org.jspecify.annotations.NullMarked;
