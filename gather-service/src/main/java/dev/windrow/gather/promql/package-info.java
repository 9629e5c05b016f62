/**
 * A subset of PromQL: what a query says, and what it makes of the series it selects. It knows no dataset.
 */
@NullMarked
package dev.windrow.gather.promql;

import org.jspecify.annotations.NullMarked;
