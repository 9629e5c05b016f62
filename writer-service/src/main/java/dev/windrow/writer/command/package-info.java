/**
 * What the writer's program can do instead of writing: provision table and queues, complete leaderboards, and check an
 * installation.
 */
@NullMarked
package dev.windrow.writer.command;

import org.jspecify.annotations.NullMarked;
