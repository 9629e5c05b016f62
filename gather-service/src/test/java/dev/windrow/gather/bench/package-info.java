/**
 * Measures the gatherer; nothing here is a test.
 */
@NullMarked
package dev.windrow.gather.bench;

import org.jspecify.annotations.NullMarked;
