/**
 * Reads dataset declarations from YAML, naming each field that is wrong.
 */
@NullMarked
package dev.windrow.dataset.yaml;

import org.jspecify.annotations.NullMarked;
