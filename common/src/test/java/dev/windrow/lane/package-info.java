/** Tests of what lanes show. */
@NullMarked
package dev.windrow.lane;

import org.jspecify.annotations.NullMarked;
