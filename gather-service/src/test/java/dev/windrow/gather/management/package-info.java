/**
 * Tests of what operators look at.
 */
@NullMarked
package dev.windrow.gather.management;

import org.jspecify.annotations.NullMarked;
