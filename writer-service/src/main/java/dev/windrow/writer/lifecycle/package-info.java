/**
 * Starts and drains the flow, and reports liveness and readiness.
 */
@NullMarked
package dev.windrow.writer.lifecycle;

import org.jspecify.annotations.NullMarked;
