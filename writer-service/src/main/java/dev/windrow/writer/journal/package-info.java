/**
 * The journal: claims each message exactly once, and applies its additions. Pure: it emits requests and is given their answers.
 */
@NullMarked
package dev.windrow.writer.journal;

import org.jspecify.annotations.NullMarked;
