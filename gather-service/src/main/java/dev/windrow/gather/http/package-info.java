/**
 * The HTTP edge: what every request must be before anything reads it, and what is said where nothing does.
 */
@NullMarked
package dev.windrow.gather.http;

import org.jspecify.annotations.NullMarked;
