package dev.windrow.writer.journal.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import dev.windrow.testing.GeneratedCases;
import dev.windrow.writer.journal.simulation.Simulation.World;
import dev.windrow.writer.journal.simulation.Statistics.Seen;

/**
 * Runs the journal under faults. {@code -Dwindrow.journal.seeds=N} sets the number of seeds,
 * {@code -Dwindrow.journal.first-seed=N} the first one.
 */
class SimulationTest {

    private static final int MANY_BRIEF_SEEDS = 2_000;
    /** Number of brief runs that together have every kind of fault. */
    private static final int ENOUGH_BRIEF_SEEDS = 400;
    private static final long BRIEF_SEEDS = GeneratedCases.count("windrow.journal.seeds", ENOUGH_BRIEF_SEEDS, MANY_BRIEF_SEEDS);
    /** Number of seeds that together have every kind of fault. */
    private static final int ENOUGH_FOR_EVERYTHING = 150;
    private static final long SEEDS = GeneratedCases.count("windrow.journal.seeds", 50, 2_000);
    private static final long FORGETTING_SEEDS = GeneratedCases.count("windrow.journal.seeds", 50, 2_000);
    private static final long FIRST_SEED = Long.getLong("windrow.journal.first-seed", 1);
    private static final int MAX_FAILURES = 5;
    /** A mutation must be caught within this number of seeds, and within many brief runs. */
    private static final int MUTANT_SEEDS = 300;
    private static final int DENYING_SEEDS = GeneratedCases.count("windrow.journal.denying-seeds", 30, 300);

    @Test
    void bucketsAreExactWhateverHappens() {
        Statistics sum = run(SEEDS, World.USUAL);

        if (SEEDS >= ENOUGH_FOR_EVERYTHING) {
            requireEveryFault(sum);
            assertThat(sum.maxWriters).as("writers at once").isGreaterThanOrEqualTo(8);
        }
    }

    @Test
    void bucketsAreExactInManyBriefRuns() {
        requireEveryFault(run(Math.max(BRIEF_SEEDS, ENOUGH_BRIEF_SEEDS), World.BRIEF));
    }

    private static Statistics run(long seeds, World world) {
        Statistics sum = new Statistics();
        List<String> failures = new ArrayList<>();
        for (long seed = FIRST_SEED; seed < FIRST_SEED + seeds && failures.size() < MAX_FAILURES; seed++) {
            try {
                sum.add(Simulation.run(seed, world, Mutation.NONE));
            } catch (AssertionError e) {
                failures.add(String.valueOf(e.getMessage()));
            }
        }
        System.out.println("journal: -Dwindrow.journal.first-seed=" + FIRST_SEED + " -Dwindrow.journal.seeds=" + seeds + ": "
                + sum);
        assertThat(failures).isEmpty();
        return sum;
    }

    /** A simulation that never saw a fault would prove nothing. */
    private static void requireEveryFault(Statistics sum) {
        EnumSet<Seen> ofOtherWorlds = EnumSet.of(Seen.DENIED, Seen.FORGOTTEN, Seen.STOPPED);
        assertThat(EnumSet.complementOf(ofOtherWorlds)).as("%s", sum).allMatch(seen -> sum.of(seen) > 0);
    }

    /** Seeds that failed once, with what they found. {@code WHOLE}: when transactions were still committed as a whole. */
    @ParameterizedTest
    @CsvSource({ "WHOLE, 5951, a lane that we release is not taken as a seat before the release is known",
            "WHOLE, 431, a lane that we release is not taken as a seat before the release is known",
            "WHOLE, 4986, a writer that lost its lane does not apply what its successor parked",
            "WHOLE, 5872, a writer that lost its lane does not apply what its successor parked",
            "WHOLE, 108, messages that are settled without a lane are deleted in a drain",
            "WHOLE, 103216, tries of a request that meets conflict after conflict do not multiply",
            "WHOLE, 6607, failed before it was understood",
            "USUAL, 104074, nothing is parked before what is deferred is known",
            "USUAL, 1368, what is deferred is parked if any of several parkings has all of it",
            "FORGETTING, 16614, a lane that was made anew and acquired again is not taken for a takeover" })
    void seedsThatFailedOnceDoNotFailAgain(World world, long seed) {
        Simulation.run(seed, world, Mutation.NONE);
    }

    @Test
    void bucketsAreExactWhereItemsAreDeniedForAWhileOrForGood() {
        Statistics sum = run(DENYING_SEEDS, World.DENYING);

        assertThat(List.of(Seen.DENIED, Seen.LETTERS, Seen.REPLAYS)).as("%s", sum).allMatch(seen -> sum.of(seen) > 0);
    }

    @Test
    void aWriterWhoseLaneIsDeletedStopsUnlessBucketsAreExact() {
        Statistics sum = run(FORGETTING_SEEDS, World.FORGETTING);

        assertThat(sum.of(Seen.STOPPED)).as("%s", sum).isBetween(1L, sum.of(Seen.FORGOTTEN));
        requireCaught(Mutation.DELETED_UNSEEN, MUTANT_SEEDS, World.FORGETTING);
    }

    /** Brief runs catch each too, so they are worth as much. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "NONE", "DELETED_UNSEEN" })
    void aProtocolThatIsWrongInOnePointIsCaught(Mutation mutation) {
        requireCaught(mutation, MUTANT_SEEDS, World.USUAL);
        requireCaught(mutation, 2 * MANY_BRIEF_SEEDS, World.BRIEF);
    }

    /** Requires a seed with which the mutation is caught, while nothing is wrong without it. */
    private static void requireCaught(Mutation mutation, int seeds, World world) {
        long caught = LongStream.rangeClosed(1, seeds).filter(seed -> isCaught(mutation, seed, world)).findFirst()
                .orElseThrow(() -> new AssertionError("nothing is wrong with " + mutation));
        Simulation.run(caught, world, Mutation.NONE);
    }

    private static boolean isCaught(Mutation mutation, long seed, World world) {
        try {
            Simulation.run(seed, world, mutation);
            return false;
        } catch (AssertionError e) {
            System.out.println(mutation + ": " + e.getMessage());
            return true;
        }
    }
}
