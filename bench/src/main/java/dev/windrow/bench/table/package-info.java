/** A table in memory that evaluates DynamoDB's expressions, exact enough to count with. */
@NullMarked
package dev.windrow.bench.table;

import org.jspecify.annotations.NullMarked;
