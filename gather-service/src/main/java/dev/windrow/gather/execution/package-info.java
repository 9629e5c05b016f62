/**
 * Executes queries: gathers what their plans read, and builds their results from it.
 */
@NullMarked
package dev.windrow.gather.execution;

import org.jspecify.annotations.NullMarked;
