/** Foundations that all modules share: reasons and logs, admission of asynchronous tasks, timers, and key encoding. */
@NullMarked
package dev.windrow.base;

import org.jspecify.annotations.NullMarked;
