/** The baselines that Windrow is measured against, each in a separate process. */
@NullMarked
package dev.windrow.bench.baseline;

import org.jspecify.annotations.NullMarked;
