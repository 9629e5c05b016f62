/** The one word that names a failure, wherever it is told. */
@NullMarked
package dev.windrow.reason;

import org.jspecify.annotations.NullMarked;
