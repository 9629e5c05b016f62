/** Decodes message bodies into events. */
@NullMarked
package dev.windrow.writer.decode;

import org.jspecify.annotations.NullMarked;
