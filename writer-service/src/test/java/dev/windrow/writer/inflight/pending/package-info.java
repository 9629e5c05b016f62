@NullMarked
package dev.windrow.writer.inflight.pending;

import org.jspecify.annotations.NullMarked;
