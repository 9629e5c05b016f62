/**
 * The REST API: resources, renderings and problem documents.
 */
@NullMarked
package dev.windrow.gather.api;

import org.jspecify.annotations.NullMarked;
