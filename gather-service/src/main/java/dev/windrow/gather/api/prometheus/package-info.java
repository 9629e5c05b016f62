/**
 * The part of Prometheus' HTTP API that the gatherer answers.
 */
@NullMarked
package dev.windrow.gather.api.prometheus;

import org.jspecify.annotations.NullMarked;
