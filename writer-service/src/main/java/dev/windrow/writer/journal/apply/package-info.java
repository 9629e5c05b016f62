/**
 * Brings what was claimed into the buckets, by position.
 */
@NullMarked
package dev.windrow.writer.journal.apply;

import org.jspecify.annotations.NullMarked;
