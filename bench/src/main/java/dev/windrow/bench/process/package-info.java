/** Child processes and the processor time they use. */
@NullMarked
package dev.windrow.bench.process;

import org.jspecify.annotations.NullMarked;
