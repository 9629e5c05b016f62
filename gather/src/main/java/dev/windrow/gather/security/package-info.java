/** Authentication: API keys and tokens. */
@NullMarked
package dev.windrow.gather.security;

import org.jspecify.annotations.NullMarked;
