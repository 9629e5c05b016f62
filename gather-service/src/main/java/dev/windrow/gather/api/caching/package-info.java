/**
 * How long answers may be kept: cache headers and entity tags.
 */
@NullMarked
package dev.windrow.gather.api.caching;

import org.jspecify.annotations.NullMarked;
