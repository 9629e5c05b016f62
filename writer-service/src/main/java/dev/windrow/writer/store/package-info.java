/**
 * Writes to the table, as fast as the table can take it, and reads from it; and checks what datasets it was written with.
 */
@NullMarked
package dev.windrow.writer.store;

import org.jspecify.annotations.NullMarked;
