/** Tests of logs with fields, as text and as JSON. */
@NullMarked
package dev.windrow.log;

import org.jspecify.annotations.NullMarked;
