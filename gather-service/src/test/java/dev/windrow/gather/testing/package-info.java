/** Shared by the gatherer's tests: embedded tables, their faults, and settings of the service. */
@NullMarked
package dev.windrow.gather.testing;

import org.jspecify.annotations.NullMarked;
