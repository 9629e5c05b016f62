/**
 * The OpenAPI description, completed from the definitions that the code uses.
 */
@NullMarked
package dev.windrow.gather.api.description;

import org.jspecify.annotations.NullMarked;
