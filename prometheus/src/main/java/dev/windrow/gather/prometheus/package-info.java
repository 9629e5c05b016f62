/** PromQL over the datasets, as an HTTP API like that of Prometheus. */
@NullMarked
package dev.windrow.gather.prometheus;

import org.jspecify.annotations.NullMarked;
