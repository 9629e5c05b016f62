/**
 * The whole flow against embedded servers.
 */
@NullMarked
package dev.windrow.writer.flow;

import org.jspecify.annotations.NullMarked;
