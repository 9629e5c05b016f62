/**
 * Deletes and the order of groups.
 */
@NullMarked
package dev.windrow.writer.acknowledge;

import org.jspecify.annotations.NullMarked;
