/** Tests of requests without the SDK. */
@NullMarked
package dev.windrow.aws;

import org.jspecify.annotations.NullMarked;
