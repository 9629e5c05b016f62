/**
 * The resources: one for each kind of query, and the list of datasets.
 */
@NullMarked
package dev.windrow.gather.api.resource;

import org.jspecify.annotations.NullMarked;
