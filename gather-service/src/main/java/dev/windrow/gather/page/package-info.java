/**
 * The page at {@code /}: HTML, modules and styles that query the API from a browser. Its files are in the resource folder
 * {@code page}.
 */
@NullMarked
package dev.windrow.gather.page;

import org.jspecify.annotations.NullMarked;
