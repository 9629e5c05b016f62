/** The quick start: everything on one machine, with one command. */
@NullMarked
package dev.windrow.quickstart;

import org.jspecify.annotations.NullMarked;
