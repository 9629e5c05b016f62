/** Which labels a query is about, and where they are stored. No I/O. */
@NullMarked
package dev.windrow.gather.label;

import org.jspecify.annotations.NullMarked;
