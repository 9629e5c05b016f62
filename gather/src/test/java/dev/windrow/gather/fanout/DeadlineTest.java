package dev.windrow.gather.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.testing.ManualClock;

class DeadlineTest {

    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");

    private final ManualClock clock = new ManualClock(NOW);
    private final Deadline deadline = Deadline.after(Duration.ofSeconds(10), clock);

    @Test
    void aReadThatNoneFollowsHasAllTheTimeThatIsLeft() {
        clock.pass(Duration.ofSeconds(4));

        assertThat(deadline.endOfShare()).isEqualTo(NOW.plusSeconds(10));
    }

    @Test
    void readsThatFollowEachOtherHaveEqualShares() {
        clock.pass(Duration.ofSeconds(4));

        assertThat(deadline.firstOf(3).endOfShare()).isEqualTo(NOW.plusSeconds(6));
    }

    @Test
    void aShareIsLongEnoughForAShardThatIsOnlySlow() {
        assertThat(deadline.firstOf(1_000).endOfShare()).isEqualTo(NOW.plusMillis(100));

        clock.pass(Duration.ofMillis(9_950));

        assertThat(deadline.firstOf(1_000).endOfShare()).isEqualTo(NOW.plusSeconds(10));
    }

    @Test
    void anAnswerMayBePutTogetherShortlyAfterTheDeadline() {
        clock.pass(Duration.ofSeconds(10).plus(Deadline.GRACE));

        assertThatCode(deadline::check).doesNotThrowAnyException();

        clock.pass(Duration.ofMillis(1));

        assertThatThrownBy(deadline::check).isInstanceOfSatisfying(GatherException.class,
                failure -> assertThat(failure.reason()).isEqualTo(Reason.TIMED_OUT));
    }
}
