/**
 * Which messages a claim takes, and the slots that remember them.
 */
@NullMarked
package dev.windrow.writer.journal.claim;

import org.jspecify.annotations.NullMarked;
