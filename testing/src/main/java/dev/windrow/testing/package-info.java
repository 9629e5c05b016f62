/** What the tests of several modules share, and nothing that knows Windrow's classes: every module can use it. */
@NullMarked
package dev.windrow.testing;

import org.jspecify.annotations.NullMarked;
