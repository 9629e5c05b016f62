package dev.windrow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With a server that answers one request after the other, in simulated time. */
class AdaptiveLimitTest {

    private static final int MIN = 32;
    private static final int INITIAL = 128;
    private static final int MAX = 512;
    private static final long SLOW = TimeUnit.MILLISECONDS.toNanos(500);

    private long nanos;
    private final AdaptiveLimit limit = new AdaptiveLimit(MIN, INITIAL, MAX, SLOW, () -> nanos);

    /** Sends as many requests as the limit lets, for some time, to a server that takes so long for each. */
    private long slowest(long perAnswer, long span) {
        Deque<Long> sentAt = new ArrayDeque<>();
        long slowest = 0;
        for (long end = nanos + span; nanos < end;) {
            while (sentAt.size() < limit.current()) {
                sentAt.add(nanos);
            }
            nanos += perAnswer;
            long took = nanos - sentAt.remove();
            slowest = Math.max(slowest, took);
            limit.answered(took, sentAt.size() + 1);
        }
        return slowest;
    }

    @ParameterizedTest
    @CsvSource({ "20", "100", "400", "2000", "20000" })
    void aServerIsKeptBusyAndItsAnswersStayFarFromTheTimeout(long answersPerSecond) {
        long perAnswer = TimeUnit.SECONDS.toNanos(1) / answersPerSecond;
        // Given it has found its measure
        slowest(perAnswer, TimeUnit.MINUTES.toNanos(1));

        // When
        long slowest = slowest(perAnswer, TimeUnit.MINUTES.toNanos(1));

        // Then
        assertThat(slowest).isLessThanOrEqualTo(Math.max(3 * SLOW / 2, MIN * perAnswer));
        long busy = Math.min(MAX, Math.max(MIN, answersPerSecond / 4));
        assertThat(limit.current()).isBetween((int) Math.min(MAX, Math.max(MIN, busy / 2)), MAX);
    }

    @Test
    void aServerThatRecoversIsGivenAllAgain() {
        slowest(TimeUnit.MILLISECONDS.toNanos(20), TimeUnit.MINUTES.toNanos(1));
        assertThat(limit.current()).isLessThan(64);

        slowest(TimeUnit.MICROSECONDS.toNanos(20), TimeUnit.SECONDS.toNanos(10));

        assertThat(limit.current()).isEqualTo(MAX);
    }

    @Test
    void fastAnswersToFewRequestsSayNothingAboutMany() {
        for (int i = 0; i < 1_000; i++) {
            limit.answered(1, INITIAL / 2);
        }

        assertThat(limit.current()).isEqualTo(INITIAL);
    }

    @Test
    void aLimitThatIsNotUsedFallsBack() {
        slowest(TimeUnit.MICROSECONDS.toNanos(20), TimeUnit.SECONDS.toNanos(10));
        assertThat(limit.current()).isEqualTo(MAX);

        nanos += TimeUnit.MILLISECONDS.toNanos(999);
        assertThat(limit.current()).isEqualTo(MAX);
        nanos += TimeUnit.MILLISECONDS.toNanos(1);
        assertThat(limit.current()).isEqualTo(MAX / 2);
        limit.answered(1, MAX / 4);
        nanos += TimeUnit.SECONDS.toNanos(9);

        assertThat(limit.current()).isEqualTo(INITIAL);
        assertThat(slowest(TimeUnit.MILLISECONDS.toNanos(10), TimeUnit.MINUTES.toNanos(1))).as("far below the timeout")
                .isLessThan(4 * SLOW);
    }

    @Test
    void manySlowAnswersAtOnceAreOneSign() {
        for (int i = 0; i < 100; i++) {
            limit.answered(SLOW, INITIAL);
        }

        assertThat(limit.current()).isEqualTo(INITIAL - INITIAL / 4);
    }
}
