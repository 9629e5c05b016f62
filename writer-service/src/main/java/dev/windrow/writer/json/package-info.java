/** Scans JSON that is spelled as usual, in place and several bytes at a time; general readers take over where it gives up. */
@NullMarked
package dev.windrow.writer.json;

import org.jspecify.annotations.NullMarked;
