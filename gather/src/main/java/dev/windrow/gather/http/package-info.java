/** HTTP: rejects malformed requests and turns failures into problem documents. */
@NullMarked
package dev.windrow.gather.http;

import org.jspecify.annotations.NullMarked;
