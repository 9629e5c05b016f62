/**
 * The contract of both readers of the table, and what our own reader must do beyond it.
 */
@NullMarked
package dev.windrow.gather.fanout.dynamo;

import org.jspecify.annotations.NullMarked;
