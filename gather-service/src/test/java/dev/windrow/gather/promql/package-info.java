/** Tests of the subset of PromQL. */
@NullMarked
package dev.windrow.gather.promql;

import org.jspecify.annotations.NullMarked;
