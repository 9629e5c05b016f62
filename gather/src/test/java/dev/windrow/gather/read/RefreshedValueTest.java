package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.windrow.gather.read.Lanes.RefreshedValue;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.subscription.UniEmitter;

class RefreshedValueTest {

    private final AtomicLong nanoTime = new AtomicLong(1_000_000_000_000L);
    private final List<UniEmitter<? super String>> reads = new ArrayList<>();
    private final RefreshedValue<String> value = new RefreshedValue<>("initial", nanoTime::get, Duration.ofSeconds(1),
            () -> Uni.createFrom().emitter(reads::add));

    @Test
    void allThatComeDuringAReadShareIt() {
        // Given
        UniAssertSubscriber<String> first = current();
        UniAssertSubscriber<String> second = current();

        // When
        reads.get(0).complete("read");

        // Then
        first.assertItem("read");
        second.assertItem("read");
        assertThat(reads).hasSize(1);
        assertThat(value.latest()).isEqualTo("read");
    }

    @Test
    void isReadAgainOnceItIsTooOld() {
        // Given
        UniAssertSubscriber<String> first = current();
        reads.get(0).complete("read");
        first.assertItem("read");
        nanoTime.addAndGet(999_999_999);
        current().assertItem("read");

        // When
        nanoTime.addAndGet(1);
        UniAssertSubscriber<String> later = current();
        reads.get(1).complete("read again");

        // Then
        later.assertItem("read again");
    }

    @Test
    void isReadAgainAfterAFailure() {
        // Given
        UniAssertSubscriber<String> failing = current();
        reads.get(0).fail(new IllegalStateException("expected by this test"));
        failing.assertFailedWith(IllegalStateException.class, "expected by this test");
        assertThat(value.latest()).isEqualTo("initial");

        // When
        UniAssertSubscriber<String> next = current();
        reads.get(1).complete("read");

        // Then
        next.assertItem("read");
    }

    private UniAssertSubscriber<String> current() {
        return value.current().subscribe().withSubscriber(UniAssertSubscriber.create());
    }
}
