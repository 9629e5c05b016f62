/** Health, metrics, the management port and the commands. */
@NullMarked
package dev.windrow.writer.operate;

import org.jspecify.annotations.NullMarked;
