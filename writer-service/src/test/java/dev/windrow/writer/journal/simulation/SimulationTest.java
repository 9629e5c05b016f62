package dev.windrow.writer.journal.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.windrow.testing.GeneratedCases;

/**
 * Runs the journal under faults. {@code -Dwindrow.journal.seeds=N} sets how many seeds, {@code
 * -Dwindrow.journal.first-seed=N} the first one.
 */
class SimulationTest {

    private static final int MANY_BRIEF_SEEDS = 2_000;
    /** So many brief runs have every kind of fault together. */
    private static final int ENOUGH_BRIEF_SEEDS = 400;
    private static final long BRIEF_SEEDS = GeneratedCases.count("windrow.journal.seeds", ENOUGH_BRIEF_SEEDS, MANY_BRIEF_SEEDS);
    /** So many seeds have every kind of fault. */
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
        Statistics sum = run(SEEDS, seed -> Simulation.run(seed, Mutation.NONE));

        if (SEEDS >= ENOUGH_FOR_EVERYTHING) {
            requireEveryFault(sum);
            assertThat(sum.maxWriters).as("writers at once").isGreaterThanOrEqualTo(8);
        }
    }

    @Test
    void bucketsAreExactInManyBriefRuns() {
        requireEveryFault(run(Math.max(BRIEF_SEEDS, ENOUGH_BRIEF_SEEDS), seed -> Simulation.runBrief(seed, Mutation.NONE)));
    }

    private static Statistics run(long seeds, LongFunction<Statistics> simulation) {
        Statistics sum = new Statistics();
        List<String> failures = new ArrayList<>();
        for (long seed = FIRST_SEED; seed < FIRST_SEED + seeds && failures.size() < MAX_FAILURES; seed++) {
            try {
                sum.add(simulation.apply(seed));
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
        assertThat(List.of(sum.claims, sum.refusedClaims, sum.recoveries, sum.crashes, sum.pauses, sum.drains,
                sum.conflicts, sum.halfCommitted, sum.late, sum.letters, sum.replays, sum.partial, sum.fenced, sum.unclaimable,
                sum.datasetChanges, sum.emptyFleets, sum.notYet,
                sum.deferrals, sum.recoveredDeferrals))
                .as("%s", sum).allMatch(count -> count > 0);
    }

    // Seeds that failed once, named for what they found. Transactions were committed as a whole then.

    @Test
    void aLaneThatWeReleaseIsNotTakenAsASeatBeforeTheReleaseIsKnown() {
        Simulation.runWhole(5951);
        Simulation.runWhole(431);
    }

    @Test
    void aWriterThatLostItsLaneDoesNotApplyWhatItsSuccessorParked() {
        Simulation.runWhole(4986);
        Simulation.runWhole(5872);
    }

    @Test
    void messagesThatAreSettledWithoutALaneAreDeletedInADrain() {
        Simulation.runWhole(108);
    }

    @Test
    void triesOfARequestThatMeetsConflictAfterConflictDoNotMultiply() {
        Simulation.runWhole(103_216);
    }

    @Test
    void seedsThatFailedBeforeTheyWereUnderstood() {
        Simulation.runWhole(6607);
    }

    @Test
    void nothingIsParkedBeforeWhatIsDeferredIsKnown() {
        Simulation.run(104_074, Mutation.NONE);
    }

    @Test
    void whatIsDeferredIsParkedIfAnyOfSeveralParkingsHasAllOfIt() {
        Simulation.run(1_368, Mutation.NONE);
    }

    @Test
    void bucketsAreExactWhereItemsAreDeniedForAWhileOrForGood() {
        Statistics sum = new Statistics();
        for (long seed = 1; seed <= DENYING_SEEDS; seed++) {
            sum.add(Simulation.runDenying(seed));
        }

        assertThat(List.of(sum.denied, sum.letters, sum.replays)).as("%s", sum).allMatch(count -> count > 0);
    }

    @Test
    void aWriterWhoseLaneIsDeletedStopsUnlessBucketsAreExact() {
        Statistics sum = run(FORGETTING_SEEDS, seed -> Simulation.runForgetting(seed, Mutation.NONE));

        assertThat(sum.stopped).as("%s", sum).isBetween(1L, sum.forgotten);
        requireCaught(Mutation.DELETED_UNSEEN, MUTANT_SEEDS, Simulation::runForgetting);
    }

    /** Brief runs catch each too, so they are worth as much. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "NONE", "DELETED_UNSEEN" })
    void aProtocolThatIsWrongInOnePointIsCaught(Mutation mutation) {
        requireCaught(mutation, MUTANT_SEEDS, Simulation::run);
        requireCaught(mutation, 2 * MANY_BRIEF_SEEDS, Simulation::runBrief);
    }

    /** There is a seed with which the mutation is caught, and nothing is wrong without it. */
    private static void requireCaught(Mutation mutation, int seeds, BiConsumer<Long, Mutation> simulation) {
        long caught = LongStream.rangeClosed(1, seeds).filter(seed -> isCaught(mutation, seed, simulation)).findFirst()
                .orElseThrow(() -> new AssertionError("nothing is wrong with " + mutation));
        simulation.accept(caught, Mutation.NONE);
    }

    private static boolean isCaught(Mutation mutation, long seed, BiConsumer<Long, Mutation> simulation) {
        try {
            simulation.accept(seed, mutation);
            return false;
        } catch (AssertionError e) {
            System.out.println(mutation + ": " + e.getMessage());
            return true;
        }
    }
}
