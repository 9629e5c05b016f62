/** Signs requests to AWS that the SDK does not make, with the SDK's credentials. */
@NullMarked
package dev.windrow.signing;

import org.jspecify.annotations.NullMarked;
