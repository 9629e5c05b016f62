/** From HTTP to the parameters of a query. */
@NullMarked
package dev.windrow.gather.request;

import org.jspecify.annotations.NullMarked;
