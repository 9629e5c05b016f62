/**
 * What a queue delivers, free of the queue's client, and the identity by which it is known again.
 */
@NullMarked
package dev.windrow.writer.message;

import org.jspecify.annotations.NullMarked;
