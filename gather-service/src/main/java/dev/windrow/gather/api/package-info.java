/**
 * The REST API: its settings, and the datasets it serves.
 */
@NullMarked
package dev.windrow.gather.api;

import org.jspecify.annotations.NullMarked;
