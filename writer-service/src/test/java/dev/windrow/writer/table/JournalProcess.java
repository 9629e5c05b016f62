package dev.windrow.writer.table;

import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import dev.windrow.dataset.Granularity;
import dev.windrow.writer.journal.JournalSettings;
import dev.windrow.writer.journal.JournalSettings.ClaimLimits;
import dev.windrow.writer.journal.JournalSettings.MemoryShortage;
import dev.windrow.writer.journal.JournalSettings.WriteEvery;
import dev.windrow.writer.journal.JournalWriter;
import dev.windrow.writer.journal.JournalWriter.JournalStatus;
import dev.windrow.writer.table.TableWrites.WriteFailedException;
import io.smallrye.mutiny.Uni;

/** One writer's journal on the real table: it receives, and can be killed, put to sleep and drained. */
final class JournalProcess {

    private static final int MAX_MESSAGES = 40;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration MAX_PAUSE = Duration.ofMillis(200);

    private final JournalRun run;
    private final DeliveredAgain queue;
    private final ScheduledFuture<?> ticks;
    private final Pausable executor;
    private volatile boolean receiving = true;

    JournalProcess(String holder, DynamoTable table, DeliveredAgain queue, ScheduledExecutorService timer) {
        this.queue = queue;
        this.executor = new Pausable(timer);
        TableWrites writes = write -> Uni.createFrom().deferred(() -> table.write(write))
                .onFailure(failure -> failure instanceof WriteFailedException failed && failed.isRetryable()).retry()
                .withBackOff(FIRST_PAUSE, MAX_PAUSE).indefinitely();
        this.run = new JournalRun(new JournalWriter(settings(holder)),
                new JournalTable(writes, writes, table, DeclaredAttributes.NONE, new Random(1)),
                queue.queues(executor), DeliveredAgain.reports(), executor);
        this.ticks = timer.scheduleAtFixedRate(() -> executor.execute(this::tick), 0, 20, TimeUnit.MILLISECONDS);
    }

    static JournalSettings settings(String holder) {
        return new JournalSettings(holder, Duration.ofMillis(200), Duration.ofMillis(1_500), Duration.ofDays(15),
                Duration.ofSeconds(1), 16, 2_000, 200, new ClaimLimits(4_000, 400, 20, 30, 8, 4),
                Duration.ofSeconds(2),
                new WriteEvery(Map.of(Granularity.MINUTE, Duration.ofMillis(200), Granularity.HOUR,
                        Duration.ofMillis(1_500), Granularity.DAY, Duration.ofSeconds(3))),
                Duration.ofSeconds(1), JournalSettings.DEFER_AFTER);
    }

    private void tick() {
        JournalStatus status = run.status();
        if (receiving && status.waitingUnits() < MAX_MESSAGES) {
            queue.receive(5).forEach(run::receive);
        }
        run.tick(MemoryShortage.NONE);
    }

    /** As SIGKILL: nothing is sent any more; what is on its way arrives. */
    void kill() {
        run.stop();
        ticks.cancel(false);
    }

    /** As SIGSTOP: it does nothing until it is woken; its answers wait. */
    void sleep() {
        executor.pause();
    }

    void wake() {
        executor.resume();
    }

    void drain() {
        receiving = false;
        run.drain();
    }

    boolean isBroken() {
        return run.isBroken();
    }

    boolean isDrained() {
        return run.isDrained();
    }

    JournalStatus status() {
        return run.status();
    }
}
