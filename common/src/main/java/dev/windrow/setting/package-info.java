/**
 * Checks of settings against their documented ranges.
 */
@NullMarked
package dev.windrow.setting;

import org.jspecify.annotations.NullMarked;
