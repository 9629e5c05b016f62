/**
 * What the tests of the writer share: embedded servers, and ways to send messages and to read buckets back.
 */
@NullMarked
package dev.windrow.writer.testing;

import org.jspecify.annotations.NullMarked;
