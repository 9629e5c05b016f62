/** Tests of the HTTP client. */
@NullMarked
package dev.windrow.http;

import org.jspecify.annotations.NullMarked;
