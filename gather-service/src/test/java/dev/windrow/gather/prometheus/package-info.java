/** Tests of the Prometheus-compatible API in the whole gatherer, which a module by itself cannot start. */
@NullMarked
package dev.windrow.gather.prometheus;

import org.jspecify.annotations.NullMarked;
