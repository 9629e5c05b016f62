/** Tests of requests without the SDK. */
@NullMarked
package dev.windrow.writer.wire;

import org.jspecify.annotations.NullMarked;
