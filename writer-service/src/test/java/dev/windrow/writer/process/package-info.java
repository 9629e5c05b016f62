/**
 * The packaged writer as real processes that are killed, stopped, starved and lied to, against the embedded servers.
 */
@NullMarked
package dev.windrow.writer.process;

import org.jspecify.annotations.NullMarked;
