/**
 * Queries: parameters are parsed, validated, and planned into reads of shards. Pure.
 */
@NullMarked
package dev.windrow.gather.query;

import org.jspecify.annotations.NullMarked;
