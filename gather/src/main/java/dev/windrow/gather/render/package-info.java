/** Answers as pages, lines and cache headers. */
@NullMarked
package dev.windrow.gather.render;

import org.jspecify.annotations.NullMarked;
