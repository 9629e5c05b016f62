/**
 * Tests of management.
 */
@NullMarked
package dev.windrow.writer.management;

import org.jspecify.annotations.NullMarked;
