package dev.windrow.writer.journal.simulation;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.windrow.writer.journal.ClaimUnit;
import dev.windrow.writer.journal.JournalSettings;
import dev.windrow.writer.journal.JournalWriter;
import dev.windrow.writer.journal.MessageFlow.JournalMessage;
import dev.windrow.writer.journal.Request;

/** One process: it lives until it is killed or drained, and may sleep meanwhile. */
final class SimWriter {

    final String holder;
    final int version;
    final JournalWriter core;
    /** Requests without a definite answer. */
    final Set<Request> open = Collections.newSetFromMap(new IdentityHashMap<>());
    /** How many tries of a request wait for their time-out. */
    final Map<Request, Integer> timeouts = new IdentityHashMap<>();
    /** Messages it holds. */
    final Map<JournalMessage, Delivery> messages = new IdentityHashMap<>();
    /** Those of the messages that are to become dead letters. */
    final Set<JournalMessage> refused = Collections.newSetFromMap(new IdentityHashMap<>());
    boolean alive = true;
    boolean draining;
    long pausedUntil;

    /** A message as it was given to this writer. */
    record Delivery(SimMessage message, List<ClaimUnit> units) {
    }

    SimWriter(JournalSettings settings, int version) {
        this.holder = settings.holder();
        this.version = version;
        this.core = new JournalWriter(settings);
    }
}
