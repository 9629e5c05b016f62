/** The parameters of queries: which there are, and their values as a request gives them. */
@NullMarked
package dev.windrow.gather.parameter;

import org.jspecify.annotations.NullMarked;
