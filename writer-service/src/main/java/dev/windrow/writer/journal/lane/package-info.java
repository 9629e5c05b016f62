/**
 * The seats that writers hold, and what can be told from them.
 */
@NullMarked
package dev.windrow.writer.journal.lane;

import org.jspecify.annotations.NullMarked;
