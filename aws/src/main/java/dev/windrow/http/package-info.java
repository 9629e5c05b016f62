/** An HTTP/1.1 client for many small POST requests to one endpoint. */
@NullMarked
package dev.windrow.http;

import org.jspecify.annotations.NullMarked;
