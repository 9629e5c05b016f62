/** Tests of the journal on a real table. */
@NullUnmarked
package dev.windrow.writer.store.journal;

import org.jspecify.annotations.NullUnmarked;
