/** What was sent, added up independently, against what the gatherer answers. */
@NullMarked
package dev.windrow.quickstart.check;

import org.jspecify.annotations.NullMarked;
