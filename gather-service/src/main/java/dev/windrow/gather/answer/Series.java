package dev.windrow.gather.answer;

import java.util.List;

/**
 * One series.
 *
 * @param label the values that its labels share
 * @param other whether it sums all labels that have no series of their own
 * @param points its buckets
 */
public record Series(List<String> label, boolean other, List<SeriesPoint> points) {
}
