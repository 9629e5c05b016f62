/**
 * What answers look like: documents, and lines of NDJSON and CSV.
 */
@NullMarked
package dev.windrow.gather.api.rendering;

import org.jspecify.annotations.NullMarked;
