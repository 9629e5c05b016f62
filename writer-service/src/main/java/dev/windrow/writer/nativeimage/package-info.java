/**
 * Registrations for the native executable: classes that are looked up by name only.
 */
@NullMarked
package dev.windrow.writer.nativeimage;

import org.jspecify.annotations.NullMarked;
