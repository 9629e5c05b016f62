/**
 * Tests of who may ask.
 */
@NullMarked
package dev.windrow.gather.security;

import org.jspecify.annotations.NullMarked;
