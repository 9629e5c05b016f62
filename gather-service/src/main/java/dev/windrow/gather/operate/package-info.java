/** Readiness, liveness, metrics and the warm-up: what operators see of the service. */
@NullMarked
package dev.windrow.gather.operate;

import org.jspecify.annotations.NullMarked;
