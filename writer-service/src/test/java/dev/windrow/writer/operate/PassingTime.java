package dev.windrow.writer.operate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Time that passes in pauses only, at once. */
final class PassingTime implements TableSweep.Time {

    private final List<Duration> pauses = new ArrayList<>();
    private Consumer<Duration> during = pause -> {
    };
    private long nanos;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public void pause(Duration duration) {
        if (duration.compareTo(Duration.ZERO) > 0) {
            pauses.add(duration);
            nanos += duration.toNanos();
            during.accept(duration);
        }
    }

    /** Has something happen in each pause from now on. */
    void during(Consumer<Duration> pause) {
        during = pause;
    }

    List<Duration> pauses() {
        return pauses;
    }

    Duration passed() {
        return Duration.ofNanos(nanos);
    }
}
