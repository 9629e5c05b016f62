package dev.windrow.dataset;

import java.math.BigDecimal;
import java.time.Instant;

public interface MeasurePartWriter {

    void number(MeasurePart part, BigDecimal number);

    void time(MeasurePart part, Instant time);
}
