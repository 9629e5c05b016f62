/**
 * Datasets as Prometheus sees them: metrics, and what PromQL's selections read from the table.
 */
@NullMarked
package dev.windrow.gather.prometheus;

import org.jspecify.annotations.NullMarked;
