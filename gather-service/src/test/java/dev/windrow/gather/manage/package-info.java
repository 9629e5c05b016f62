/**
 * Tests of what operators look at.
 */
@NullMarked
package dev.windrow.gather.manage;

import org.jspecify.annotations.NullMarked;
