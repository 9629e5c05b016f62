/**
 * One thing that happened, as producers post it.
 */
@NullMarked
package dev.windrow.event;

import org.jspecify.annotations.NullMarked;
