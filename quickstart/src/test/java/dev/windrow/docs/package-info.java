/** Pages of the documentation that are made from the code. */
@NullMarked
package dev.windrow.docs;

import org.jspecify.annotations.NullMarked;
