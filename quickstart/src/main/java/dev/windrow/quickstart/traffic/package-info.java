/** Where the quick start's events come from: an access log, or generated traffic. */
@NullMarked
package dev.windrow.quickstart.traffic;

import org.jspecify.annotations.NullMarked;
