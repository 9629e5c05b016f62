/** Runs everything on one machine with one command: starts all parts, replays events and compares the answers. */
@NullMarked
package dev.windrow.quickstart;

import org.jspecify.annotations.NullMarked;
