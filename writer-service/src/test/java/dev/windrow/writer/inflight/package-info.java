@NullMarked
package dev.windrow.writer.inflight;

import org.jspecify.annotations.NullMarked;
