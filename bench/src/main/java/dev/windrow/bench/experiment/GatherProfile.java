package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.List;

import dev.windrow.bench.page.Section;

/** Where the gatherer's time goes. */
final class GatherProfile implements Experiment {

    private static final int WIDTH = 100;
    private static final Samples SAMPLES = new Samples("dev.windrow.gather.", "ms of CPU per gather");

    @Override
    public String id() {
        return "gather-profile";
    }

    @Override
    public Section run(Lab lab) {
        try (GatherStage stage = new GatherStage(lab, Service.GATHERER, List.of(WIDTH))) {
            GatherWay way = stage.way("/buckets", stage.buckets(WIDTH), lab.amount(200));
            way.warmUp(Duration.ofSeconds(lab.amount(40)));
            return new Section(id(), "Profile of the gatherer",
                    """
                            The gatherer asked for `/buckets` of 100 shards by one client, when it has warmed up. Samples are taken and told
                            as those of the writer; taking them costs processor time too, so shares count, and not their sum.
                            """,
                    SAMPLES.during(() -> {
                        for (int round = 0; round < lab.rounds(); round++) {
                            way.round(true);
                        }
                        return way.cpu();
                    }, stage.gatherer(), "100 shards, 1,000 buckets", lab.log("profile-gather.jfr")), List.of(), List.of());
        }
    }
}
