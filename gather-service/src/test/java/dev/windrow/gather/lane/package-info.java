/** Tests of the lanes' cache. */
@NullMarked
package dev.windrow.gather.lane;

import org.jspecify.annotations.NullMarked;
