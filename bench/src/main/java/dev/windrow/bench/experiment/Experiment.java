package dev.windrow.bench.experiment;

import java.util.List;

import dev.windrow.bench.page.Section;

/** Something to measure. */
public interface Experiment {

    /** Its name on the command line. */
    String id();

    /** Runs it; bounded in time. */
    Section run(Lab lab);

    /** All, in the order of the page. */
    static List<Experiment> all() {
        return List.of(new Scattering(), new WriterCost(), new SteadyCost(), new ManyWriters(), new Recovery(),
                new WriterLatency(), new GatherLatency(), new GatherThroughput(), new GatherHedging(), new Ranked(),
                new Profile());
    }
}
