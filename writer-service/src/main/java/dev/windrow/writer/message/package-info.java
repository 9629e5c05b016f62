/** What a queue delivers, independent of the queue's client, and the identity by which redeliveries are recognized. */
@NullMarked
package dev.windrow.writer.message;

import org.jspecify.annotations.NullMarked;
