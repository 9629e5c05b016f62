/**
 * The order of the stages: source, decode, aggregate, store, acknowledge.
 */
@NullMarked
package dev.windrow.writer.flow;

import org.jspecify.annotations.NullMarked;
