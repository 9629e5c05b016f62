/**
 * Registrations for the native executable: classes that are looked up by name only.
 */
@NullMarked
package dev.windrow.gather.nativeimage;

import org.jspecify.annotations.NullMarked;
