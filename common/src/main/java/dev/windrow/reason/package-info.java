/**
 * Why something failed: one word per cause, the same in logs, metrics, problems and dead letters.
 */
@NullMarked
package dev.windrow.reason;

import org.jspecify.annotations.NullMarked;
