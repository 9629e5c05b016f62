/** Events: their attributes, conditions on them, and the forms that other JSON is read by. */
@NullMarked
package dev.windrow.event;

import org.jspecify.annotations.NullMarked;
