/** The API's description, completed from the definitions that the code uses. It knows every kind of query; none knows it. */
@NullMarked
package dev.windrow.gather.openapi;

import org.jspecify.annotations.NullMarked;
