/** Tests of entity tags. */
@NullMarked
package dev.windrow.gather.api.caching;

import org.jspecify.annotations.NullMarked;
