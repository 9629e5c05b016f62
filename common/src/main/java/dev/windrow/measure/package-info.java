/**
 * What is aggregated: kinds of measures, their algebra, and exact decimals.
 */
@NullMarked
package dev.windrow.measure;

import org.jspecify.annotations.NullMarked;
