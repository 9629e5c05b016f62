/**
 * The order of the stages: source, decode, aggregate, claim and apply; and what runs next when memory is short.
 */
@NullMarked
package dev.windrow.writer.flow;

import org.jspecify.annotations.NullMarked;
