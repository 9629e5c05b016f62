/**
 * The OpenAPI description, completed from what the code goes by.
 */
@NullMarked
package dev.windrow.gather.api.description;

import org.jspecify.annotations.NullMarked;
