/** HTTP: what is refused before it is a request, and what becomes of errors. */
@NullMarked
package dev.windrow.gather.http;

import org.jspecify.annotations.NullMarked;
