/**
 * Tests of the fault proxy, in front of the real embedded servers.
 */
@NullMarked
package dev.windrow.local.fault;

import org.jspecify.annotations.NullMarked;
