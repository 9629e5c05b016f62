/** Tests of the Prometheus-compatible API. */
@NullMarked
package dev.windrow.gather.api.prometheus;

import org.jspecify.annotations.NullMarked;
