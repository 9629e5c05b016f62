/**
 * Tests of the HTTP edge over raw sockets.
 */
@NullMarked
package dev.windrow.gather.http;

import org.jspecify.annotations.NullMarked;
