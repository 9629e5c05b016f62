/** Tests of the page: its files over HTTP, and all of it in a browser. */
@NullMarked
package dev.windrow.gather.page;

import org.jspecify.annotations.NullMarked;
