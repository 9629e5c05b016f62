/** The HTTP edge: checks every request before anything reads it, and answers failures outside the resources. */
@NullMarked
package dev.windrow.gather.http;

import org.jspecify.annotations.NullMarked;
