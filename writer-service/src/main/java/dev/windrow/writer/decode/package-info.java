/** From the body of a message to its events. */
@NullMarked
package dev.windrow.writer.decode;

import org.jspecify.annotations.NullMarked;
