/** The writer: takes events from the queue and upserts their aggregates into the table. */
@NullMarked
package dev.windrow.writer;

import org.jspecify.annotations.NullMarked;
