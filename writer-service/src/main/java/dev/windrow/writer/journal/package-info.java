/**
 * The journal: claims each message exactly once, and applies what it adds. Pure: it asks for requests and takes their answers.
 */
@NullMarked
package dev.windrow.writer.journal;

import org.jspecify.annotations.NullMarked;
