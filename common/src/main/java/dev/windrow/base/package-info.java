/** What every part stands on and none is about: reasons and logs, admission of asynchronous work, timers, keys as text. */
@NullMarked
package dev.windrow.base;

import org.jspecify.annotations.NullMarked;
