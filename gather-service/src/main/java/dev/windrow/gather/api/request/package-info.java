/** Reads requests: parameters of the address and of a posted body, and the requested format. */
@NullMarked
package dev.windrow.gather.api.request;

import org.jspecify.annotations.NullMarked;
