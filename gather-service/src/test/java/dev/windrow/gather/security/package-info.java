/**
 * Tests of authentication and authorization.
 */
@NullMarked
package dev.windrow.gather.security;

import org.jspecify.annotations.NullMarked;
