/** Test code that several modules share. It depends on none of Windrow's classes, so that every module can use it. */
@NullMarked
package dev.windrow.testing;

import org.jspecify.annotations.NullMarked;
