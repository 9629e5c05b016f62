/** Sends the journal's requests to DynamoDB, with rate limit, retries and health; registers the datasets of a table. */
@NullMarked
package dev.windrow.writer.table;

import org.jspecify.annotations.NullMarked;
