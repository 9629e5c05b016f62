/**
 * Takes messages from the queues, no more than there is room for, and keeps them invisible while they wait.
 */
@NullMarked
package dev.windrow.writer.source;

import org.jspecify.annotations.NullMarked;
