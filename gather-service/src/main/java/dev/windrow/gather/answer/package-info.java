/**
 * What questions make of merged buckets: series, top lists, profiles and comparisons. Pure.
 */
@NullMarked
package dev.windrow.gather.answer;

import org.jspecify.annotations.NullMarked;
