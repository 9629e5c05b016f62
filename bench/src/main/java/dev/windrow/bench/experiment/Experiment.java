package dev.windrow.bench.experiment;

import java.util.List;

import dev.windrow.bench.page.Section;

/** Something to find out. */
public interface Experiment {

    /** Its name on the command line. */
    String id();

    /** Runs it; bounded in time. */
    Section run(Lab lab);

    /** All, in the order of the page. */
    static List<Experiment> all() {
        return List.of(new Examples(), new Scattering(), new WriteFormula(), new WriterCost(), new SteadyCost(),
                new WriterProfile(),
                new GatherLatency(), new GatherProfile(), new GatherThroughput(), new StartUp(), new WriterGrowth(),
                new GatherGrowth(), new Micro());
    }
}
