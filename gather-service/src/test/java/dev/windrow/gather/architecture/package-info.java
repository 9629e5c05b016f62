/**
 * Architecture rules of the gatherer.
 */
@NullMarked
package dev.windrow.gather.architecture;

import org.jspecify.annotations.NullMarked;
