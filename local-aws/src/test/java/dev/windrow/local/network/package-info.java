/** Tests of the clients of AWS behind a proxy. */
@NullMarked
package dev.windrow.local.network;

import org.jspecify.annotations.NullMarked;
