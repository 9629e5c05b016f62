/** Tests of the Prometheus-compatible API. */
@NullMarked
package dev.windrow.gather.prometheus;

import org.jspecify.annotations.NullMarked;
