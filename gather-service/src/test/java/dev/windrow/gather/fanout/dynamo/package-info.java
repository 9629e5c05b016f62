/**
 * Both readers of the table under one contract, and what the one of our own must do beyond it.
 */
@NullMarked
package dev.windrow.gather.fanout.dynamo;

import org.jspecify.annotations.NullMarked;
