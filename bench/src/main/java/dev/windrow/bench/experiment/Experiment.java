package dev.windrow.bench.experiment;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.windrow.bench.page.Found;

/** A benchmark experiment. */
@FunctionalInterface
public interface Experiment {

    Found run(Lab lab);

    /** Returns all experiments by their names on the command line, in the order of the page. */
    static Map<String, Experiment> all() {
        Map<String, Experiment> all = new LinkedHashMap<>();
        all.put("writer", new WriterCost());
        all.put("steady", new SteadyCost());
        all.put("recovery", new Recovery());
        all.put("gather", new Gather());
        all.put("ranked", new Ranked());
        return all;
    }
}
