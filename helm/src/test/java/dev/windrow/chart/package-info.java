/**
 * What the chart and the plain manifests promise, checked on what they render.
 */
@NullMarked
package dev.windrow.chart;

import org.jspecify.annotations.NullMarked;
