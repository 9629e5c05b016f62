package dev.windrow.writer.table;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.windrow.dataset.Datasets;
import dev.windrow.time.Granularity;
import dev.windrow.writer.journal.ClaimLimits;
import dev.windrow.writer.journal.JournalSettings;
import dev.windrow.writer.journal.JournalWriter;
import dev.windrow.writer.journal.MemoryShortage;
import dev.windrow.writer.journal.Now;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.TableRequest;
import dev.windrow.writer.journal.WriteEvery;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.testing.Answering;
import dev.windrow.writer.testing.TestMessage;

/** A journal in virtual time on a real table; each request is carried out immediately. */
final class VirtualJournal {

    private static final Duration STEP = Duration.ofMillis(100);
    private static final int MAX_STEPS = 1_000;

    private final JournalWriter journal;
    private final JournalTable table;
    private final Instant start;
    private final List<Request.SendParked> letters = new ArrayList<>();
    private long nanos;
    private int open;

    /**
     * @param datasets written every second in every granularity
     * @param start of virtual time, far ahead of the machine's clock, by which the table deletes expired items
     */
    VirtualJournal(TableClient writes, TableReads reads, Datasets datasets, Instant start) {
        Map<Granularity, Duration> waits = new HashMap<>();
        datasets.all().forEach(dataset -> dataset.granularities().forEach(
                granularity -> waits.put(granularity, Duration.ofSeconds(1))));
        this.journal = new JournalWriter(new JournalSettings("virtual", Duration.ofSeconds(1), Duration.ofSeconds(20),
                Duration.ofDays(15), Duration.ofSeconds(15), 64, 20_000, 1_000, ClaimLimits.DEFAULTS,
                Duration.ofMinutes(1), new WriteEvery(waits), Duration.ZERO, JournalSettings.DEFER_AFTER));
        this.table = new JournalTable(writes, writes, reads, DeclaredAttributes.of(datasets), Runnable::run, new Random(1));
        this.start = start;
    }

    void receive(List<ClaimUnit> units) {
        open++;
        journal.receive(new TestMessage(units), now());
    }

    /** Advances the time, and does what is due then. */
    void advance(Duration time) {
        nanos += time.toNanos();
        boolean busy = true;
        while (busy) {
            busy = false;
            journal.tick(now(), MemoryShortage.NONE);
            for (Request request = journal.poll(); request != null; request = journal.poll()) {
                busy = true;
                if (request instanceof TableRequest<?> asked) {
                    Answering.answer(journal, request, table.send(asked).await().indefinitely(), now());
                } else if (request instanceof Request.SendParked letter) {
                    letters.add(letter);
                    journal.sent(letter);
                } else if (request instanceof Request.DeleteMessage) {
                    open--;
                } else if (request instanceof Request.RefuseMessage) {
                    throw new AssertionError("expected messages that can be claimed, found " + request);
                }
            }
        }
    }

    /** Advances the time until every message is deleted and everything is applied. */
    void settle() {
        for (int step = 0; open > 0 || journal.status().cells() > 0; step++) {
            if (step == MAX_STEPS) {
                throw new AssertionError("expected an end of the work, found " + journal.status());
            }
            advance(STEP);
        }
    }

    long duplicates() {
        return journal.status().duplicates();
    }

    List<Request.SendParked> letters() {
        return letters;
    }

    private Now now() {
        return new Now(nanos, start.toEpochMilli() + Duration.ofNanos(nanos).toMillis());
    }
}
