package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.process.Child;
import dev.windrow.bench.queue.Body;
import dev.windrow.bench.wire.DynamoDbServer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/** Where the writer's time goes: samples of its running threads, taken by Flight Recorder. */
final class WriterProfile implements Experiment {

    private static final int LABELS = 200;
    private static final int BATCHED = 100;
    private static final int HOTTEST = 15;
    private static final String SHARE = "share of samples";
    private static final String OWN = "dev.windrow.writer.";

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
            Path recording = lab.log("profile-" + eventsOfEach + ".jfr");
            Jcmd.run(child.pid(), "JFR.start", "name=profile", "settings=profile");
            double micros = writer.consumeFor(Duration.ofSeconds(lab.amount(15)), bodies, eventsOfEach);
            Jcmd.run(child.pid(), "JFR.dump", "name=profile", "filename=" + recording);
            return tables(title, micros, recording);
        }
    }

    private static List<Table> tables(String title, double micros, Path recording) {
        Map<String, Integer> stages = new TreeMap<>();
        Map<String, Integer> methods = new TreeMap<>();
        int all = 0;
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (event.getEventType().getName().equals("jdk.ExecutionSample") && event.getStackTrace() != null
                        && !event.getStackTrace().getFrames().isEmpty()) {
                    List<RecordedFrame> frames = event.getStackTrace().getFrames();
                    all++;
                    stages.merge(stage(frames), 1, Integer::sum);
                    methods.merge(name(frames.get(0)), 1, Integer::sum);
                }
            }
            Files.delete(recording);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<List<Object>> byStage = new ArrayList<>(rows(stages, all, micros));
        byStage.add(List.of("all, of " + String.format(Locale.ROOT, "%,d", all) + " samples", "100%", micros));
        return List.of(new Table(title, List.of("stage", SHARE, "µs of CPU per event"), byStage),
                new Table(title + ": hottest methods", List.of("method", SHARE, "µs of CPU per event"),
                        rows(methods, all, micros)));
    }

    private static List<List<Object>> rows(Map<String, Integer> counts, int all, double micros) {
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer> comparingByValue(Comparator.reverseOrder())).limit(HOTTEST)
                .map(entry -> List.<Object> of(entry.getKey(),
                        String.format(Locale.ROOT, "%.1f%%", 100.0 * entry.getValue() / all),
                        micros * entry.getValue() / all))
                .toList();
    }

    private static String stage(List<RecordedFrame> frames) {
        for (RecordedFrame frame : frames) {
            String type = type(frame);
            if (type.startsWith(OWN)) {
                String rest = type.substring(OWN.length());
                return rest.substring(0, Math.max(0, rest.indexOf('.')));
            }
        }
        return library(type(frames.get(0)));
    }

    /** The first two parts of a package. */
    private static String library(String type) {
        String[] parts = type.split("\\.", 3);
        return "(" + (parts.length < 3 ? type : parts[0] + "." + parts[1]) + ")";
    }

    private static String type(@Nullable RecordedFrame frame) {
        return frame == null || frame.getMethod() == null ? "unknown" : frame.getMethod().getType().getName();
    }

    private static String name(RecordedFrame frame) {
        String type = type(frame);
        return type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethod().getName();
    }
}
