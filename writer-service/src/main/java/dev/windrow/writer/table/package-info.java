/** The journal's requests as DynamoDB's, with their rate, retries and health; the registered datasets. */
@NullMarked
package dev.windrow.writer.table;

import org.jspecify.annotations.NullMarked;
