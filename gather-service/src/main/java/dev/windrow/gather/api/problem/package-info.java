/**
 * Every failure as a problem document (RFC 9457), or a line of the log where none can be sent.
 */
@NullMarked
package dev.windrow.gather.api.problem;

import org.jspecify.annotations.NullMarked;
