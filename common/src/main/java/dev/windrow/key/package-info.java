/**
 * Composite keys of table and index, and the one codec that writes and reads them.
 */
@NullMarked
package dev.windrow.key;

import org.jspecify.annotations.NullMarked;
