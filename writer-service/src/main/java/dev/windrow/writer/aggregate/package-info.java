/** From events to what is claimed and added. */
@NullMarked
package dev.windrow.writer.aggregate;

import org.jspecify.annotations.NullMarked;
