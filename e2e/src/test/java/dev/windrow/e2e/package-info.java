/**
 * Tests of the images as they are shipped: events in, answers out, whatever happens to a writer.
 */
@NullMarked
package dev.windrow.e2e;

import org.jspecify.annotations.NullMarked;
