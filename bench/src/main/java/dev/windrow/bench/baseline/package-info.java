/** What Windrow is measured against, each a process of its own. */
@NullMarked
package dev.windrow.bench.baseline;

import org.jspecify.annotations.NullMarked;
