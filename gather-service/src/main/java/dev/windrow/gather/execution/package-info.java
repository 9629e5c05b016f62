/**
 * Executes queries: has the reads of their plans gathered, and makes their results of what was gathered.
 */
@NullMarked
package dev.windrow.gather.execution;

import org.jspecify.annotations.NullMarked;
