/**
 * The lanes that writers hold, and what they show.
 */
@NullMarked
package dev.windrow.writer.journal.lane;

import org.jspecify.annotations.NullMarked;
