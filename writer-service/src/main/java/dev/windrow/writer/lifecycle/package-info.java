/**
 * Starts and drains the flow, and tells others how it is.
 */
@NullMarked
package dev.windrow.writer.lifecycle;

import org.jspecify.annotations.NullMarked;
