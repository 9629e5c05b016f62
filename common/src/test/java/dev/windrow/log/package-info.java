/** Logs with fields: a fixed list of keys, as text and as JSON. */
@NullMarked
package dev.windrow.log;

import org.jspecify.annotations.NullMarked;
