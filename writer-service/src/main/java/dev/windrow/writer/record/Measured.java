package dev.windrow.writer.record;

import dev.windrow.dataset.MeasureKind;

public record Measured(String name, MeasureKind kind) {
}
