/**
 * Commands of the writer's image, which run instead of the writer: provision table and queues, complete leaderboards, and
 * check an installation.
 */
@NullMarked
package dev.windrow.writer.command;

import org.jspecify.annotations.NullMarked;
