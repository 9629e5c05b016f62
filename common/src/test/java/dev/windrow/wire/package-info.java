/** Tests of requests without the SDK. */
@NullMarked
package dev.windrow.wire;

import org.jspecify.annotations.NullMarked;
