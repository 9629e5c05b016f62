/** Turns HTTP requests into the parameters of queries. */
@NullMarked
package dev.windrow.gather.request;

import org.jspecify.annotations.NullMarked;
