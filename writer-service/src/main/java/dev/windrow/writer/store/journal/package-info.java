/**
 * The journal on the real table: its requests as writes and reads of DynamoDB, and what runs it.
 */
@NullMarked
package dev.windrow.writer.store.journal;

import org.jspecify.annotations.NullMarked;
