package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.process.Child;
import dev.windrow.bench.queue.Body;
import dev.windrow.bench.wire.DynamoDbServer;

/** Where the writer's time goes. */
final class WriterProfile implements Experiment {

    private static final int LABELS = 200;
    private static final int BATCHED = 100;
    private static final Samples SAMPLES = new Samples("dev.windrow.writer.", "µs of CPU per event");

    @Override
    public String id() {
        return "profile";
    }

    @Override
    public Section run(Lab lab) {
        List<Table> tables = new ArrayList<>();
        tables.addAll(profile(lab, "100 events per message", BATCHED, 2_000));
        tables.addAll(profile(lab, "One event per message", 1, 10_000));
        return new Section(id(), "Profile of the writer", """
                The writer, exactly once, at work on a backlog like the section before, when it has warmed up. Samples are of
                threads that run Java code (Flight Recorder, every 10 ms), and stand for the whole process, compiler and garbage
                collector included. The stage is that of the innermost of the writer's own methods on the stack, or else the
                library that runs.
                """, tables, List.of(), List.of());
    }

    private static List<Table> profile(Lab lab, String title, int eventsOfEach, int messages) {
        List<Body> pool = Events.clicks(lab.random("profile" + eventsOfEach), LABELS).messages(1_000, eventsOfEach);
        List<Body> bodies = new ArrayList<>(messages);
        for (int i = 0; i < messages; i++) {
            bodies.add(pool.get(i % pool.size()));
        }
        try (Consumer writer = Consumer.writer(lab, Service.WRITER, "profile-" + eventsOfEach,
                DatasetFile.clicks(10, "exactly-once"), DynamoDbServer.Options.unlimited(), 1, List.of())) {
            Child child = writer.children().get(0);
            writer.consumeFor(Duration.ofSeconds(lab.amount(40)), bodies, eventsOfEach);
            return SAMPLES.during(() -> writer.consumeFor(Duration.ofSeconds(lab.amount(15)), bodies, eventsOfEach), child,
                    title, lab.log("profile-" + eventsOfEach + ".jfr"));
        }
    }
}
