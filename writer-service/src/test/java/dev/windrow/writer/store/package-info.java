/**
 * The store against the embedded table.
 */
@NullMarked
package dev.windrow.writer.store;

import org.jspecify.annotations.NullMarked;
