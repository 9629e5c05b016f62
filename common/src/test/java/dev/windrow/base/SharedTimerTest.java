package dev.windrow.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import dev.windrow.testing.Patience;

class SharedTimerTest {

    @AutoClose("shutdownNow")
    private final ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1);
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000);
    private final BlockingQueue<String> ran = new LinkedBlockingQueue<>();
    private final SharedTimer timer = new SharedTimer(scheduler, nanos::get);

    @Test
    void actionsRunInTheOrderInWhichTheyAreDue() throws InterruptedException {
        timer.after(Duration.ofMillis(50), () -> ran.add("fifty"));
        timer.after(Duration.ofMillis(30), () -> ran.add("thirty"));
        timer.after(Duration.ofMillis(31), () -> ran.add("thirty-one"));

        pass(30);
        assertThat(next()).isEqualTo("thirty");
        assertThat(ran).isEmpty();
        pass(100);
        assertThat(next()).isEqualTo("thirty-one");
        assertThat(next()).isEqualTo("fifty");
    }

    @Test
    void cancelledActionsNeverRun() throws InterruptedException {
        SharedTimer.Timeout cancelled = timer.after(Duration.ofMillis(1), () -> ran.add("cancelled"));
        timer.after(Duration.ofMillis(1), () -> ran.add("same millisecond"));
        timer.after(Duration.ofMillis(2), () -> ran.add("next millisecond"));
        cancelled.cancel();
        cancelled.cancel();

        pass(10);

        assertThat(next()).isEqualTo("same millisecond");
        assertThat(next()).isEqualTo("next millisecond");
    }

    @Test
    void anActionThatThrowsLeavesTheOthersTheirTurn() throws InterruptedException {
        timer.after(Duration.ZERO, () -> {
            throw new IllegalStateException("one");
        });
        timer.after(Duration.ZERO, () -> ran.add("another"));

        pass(1);
        assertThat(next()).isEqualTo("another");
    }

    @Test
    void oneTimerIsSetForAnyNumberOfActions() {
        scheduler.setRemoveOnCancelPolicy(true);
        for (int hour = 1_000; hour > 0; hour--) {
            timer.after(Duration.ofHours(hour), () -> ran.add("late"));
        }

        assertThat(scheduler.getQueue()).hasSize(1);
    }

    @Test
    void aTimerThatTheSchedulerRejectsIsSetWithTheNextAction() {
        // Given
        HandDrivenScheduler byHand = new HandDrivenScheduler();
        SharedTimer rejected = new SharedTimer(byHand, nanos::get);
        byHand.rejects = true;
        assertThatThrownBy(() -> rejected.after(Duration.ofMillis(1), () -> ran.add("nobody's")))
                .isInstanceOf(RejectedExecutionException.class);
        byHand.rejects = false;

        // When
        rejected.after(Duration.ofMillis(5), () -> ran.add("next"));
        pass(10);
        byHand.runTimer();

        // Then
        assertThat(ran).containsExactly("next");
    }

    @Test
    void whatIsDueRunsThoughTheTimerOfTheRestIsRejected() {
        // Given
        HandDrivenScheduler byHand = new HandDrivenScheduler();
        SharedTimer rejected = new SharedTimer(byHand, nanos::get);
        rejected.after(Duration.ofMillis(20), () -> ran.add("due"));
        rejected.after(Duration.ofMillis(40), () -> ran.add("later"));
        pass(30);

        // When
        byHand.rejects = true;
        assertThatThrownBy(byHand::runTimer).isInstanceOf(RejectedExecutionException.class);
        byHand.rejects = false;
        rejected.after(Duration.ofMillis(20), () -> ran.add("latest"));
        pass(30);
        byHand.runTimer();

        // Then
        assertThat(ran).containsExactly("due", "later", "latest");
    }

    @Test
    void anActionThatCannotBeHandedOverRunsAtOnceAndLeavesTheOthersTheirTurn() {
        // Given
        HandDrivenScheduler byHand = new HandDrivenScheduler();
        SharedTimer full = new SharedTimer(byHand, nanos::get);
        full.after(Duration.ofMillis(1), () -> {
            throw new IllegalStateException("one");
        });
        full.after(Duration.ofMillis(2), () -> ran.add("another"));
        pass(10);

        // When
        byHand.rejectsActions = true;
        assertThatThrownBy(byHand::runTimer).isInstanceOf(IllegalStateException.class);

        // Then
        assertThat(ran).containsExactly("another");
    }

    /** Has one timer, which the test runs, and runs actions at once or rejects them. */
    private final class HandDrivenScheduler extends ScheduledThreadPoolExecutor {

        boolean rejects;
        boolean rejectsActions;
        private Runnable timer = () -> {
        };

        HandDrivenScheduler() {
            super(0);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable action, long delay, TimeUnit unit) {
            if (rejects) {
                throw new RejectedExecutionException("no timers");
            }
            timer = action;
            return scheduler.schedule(() -> {
            }, 1, TimeUnit.DAYS);
        }

        @Override
        public void execute(Runnable action) {
            if (rejectsActions) {
                throw new RejectedExecutionException("no actions");
            }
            action.run();
        }

        void runTimer() {
            timer.run();
        }
    }

    private @Nullable String next() throws InterruptedException {
        return ran.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private void pass(int millis) {
        nanos.addAndGet(Duration.ofMillis(millis).toNanos());
    }
}
