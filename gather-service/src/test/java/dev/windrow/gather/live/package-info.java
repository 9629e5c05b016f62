/** Tests of live streams. */
@NullMarked
package dev.windrow.gather.live;

import org.jspecify.annotations.NullMarked;
