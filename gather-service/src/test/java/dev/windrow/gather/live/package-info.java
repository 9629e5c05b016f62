/** Tests of watching. */
@NullMarked
package dev.windrow.gather.live;

import org.jspecify.annotations.NullMarked;
