package dev.windrow.dataset;

import java.math.BigDecimal;
import java.time.Instant;

/** Provides the parts of a value, which are read in the order in which they were written. */
public interface MeasurePartReader {

    BigDecimal number(MeasurePart part);

    Instant time(MeasurePart part);
}
