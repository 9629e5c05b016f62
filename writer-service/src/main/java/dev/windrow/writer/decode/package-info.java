/**
 * Reads message bodies into events; a bad event becomes a rejection and leaves the others alone.
 */
@NullMarked
package dev.windrow.writer.decode;

import org.jspecify.annotations.NullMarked;
