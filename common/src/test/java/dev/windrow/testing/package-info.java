/** What tests of several modules share. */
@NullMarked
package dev.windrow.testing;

import org.jspecify.annotations.NullMarked;
