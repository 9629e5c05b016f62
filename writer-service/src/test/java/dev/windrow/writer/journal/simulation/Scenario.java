package dev.windrow.writer.journal.simulation;

import java.util.SplittableRandom;

/** The traffic and the faults of a run, drawn from the seed. */
final class Scenario {

    /** How many times shorter a brief run is, with as many faults in less time. */
    private static final int BRIEF = 4;
    private static final int MIN_MESSAGES = 4;

    final long stormMillis;
    final int messages;
    final int labels;
    final int maxWriters;
    final double lost;
    final double late;
    final double throttled;
    final double crash;
    final double pause;
    final double receivedTwice;
    final double deleteLost;
    final double poisoned;
    final double addsNothing;
    final double eventIds;
    final double unclaimable;
    final boolean datasetChanges;
    final int slotFullAt;
    final int slotTarget;
    final int visibilityMillis;
    final long seconds;
    final int maxRecords;

    /** @param brief whether the run is short, so that many are affordable */
    Scenario(SplittableRandom random, boolean brief) {
        int divisor = brief ? BRIEF : 1;
        stormMillis = random.nextLong(3_000, 20_000) / divisor;
        messages = Math.max(MIN_MESSAGES, random.nextInt(4, 60) / divisor);
        labels = random.nextInt(1, 5);
        maxWriters = chance(random, 0.15) ? 8 : random.nextInt(1, 4);
        double bad = chance(random, 0.2) ? 0 : random.nextDouble();
        lost = 0.12 * bad * random.nextDouble();
        late = 0.08 * bad * random.nextDouble();
        throttled = 0.2 * bad * random.nextDouble();
        crash = chance(random, 0.7) ? 0.0002 * divisor * random.nextDouble() : 0;
        pause = chance(random, 0.6) ? 0.0002 * divisor * random.nextDouble() : 0;
        receivedTwice = 0.15 * random.nextDouble();
        deleteLost = 0.3 * random.nextDouble();
        poisoned = chance(random, 0.3) ? 0.3 : 0;
        addsNothing = 0.1;
        eventIds = chance(random, 0.5) ? random.nextDouble() : 0;
        unclaimable = chance(random, 0.15) ? 0.1 : 0;
        datasetChanges = chance(random, 0.4);
        slotFullAt = chance(random, 0.5) ? random.nextInt(1, 6) : 1_000;
        slotTarget = chance(random, 0.5) ? random.nextInt(1, 8) : 64;
        visibilityMillis = chance(random, 0.3) ? random.nextInt(300, 2_000) : random.nextInt(3_000, 10_000);
        seconds = random.nextInt(1, 4);
        maxRecords = chance(random, 0.2) ? random.nextInt(2, 6) : 200;
    }

    static boolean chance(SplittableRandom random, double probability) {
        return random.nextDouble() < probability;
    }
}
