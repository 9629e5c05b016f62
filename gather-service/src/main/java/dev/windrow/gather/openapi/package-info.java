/** The API's description, completed from the definitions that the code uses. It depends on every kind of query, none on it. */
@NullMarked
package dev.windrow.gather.openapi;

import org.jspecify.annotations.NullMarked;
