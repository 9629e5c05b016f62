package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import dev.windrow.bench.page.Section.Found;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.server.Body;
import dev.windrow.bench.server.DynamoDbServer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/** Where the services spend their time: samples of their running threads, taken by Flight Recorder. */
final class Profile implements Experiment {

    private static final int WIDTH = 100;
    private static final int HOTTEST = 10;
    private static final String OWN = "dev.windrow.";

    @Override
    public Found run(Lab lab) {
        List<Table> tables = new ArrayList<>();
        for (int eventsOfEach : new int[] { Events.BATCHED, 1 }) {
            List<Body> bodies = Events.clicks(lab.random("profile" + eventsOfEach))
                    .messages(eventsOfEach == 1 ? 10_000 : 2_000, eventsOfEach);
            try (MeasuredConsumer writer = MeasuredConsumer.writers(lab, "profile-" + eventsOfEach, DatasetFile.clicks(),
                    DynamoDbServer.start(lab.vertx()), List.of(), 1)) {
                tables.addAll(tables(lab, writer.processes().get(0), "Writer, events per message: " + eventsOfEach,
                        span -> writer.consumeFor(span, bodies, eventsOfEach)));
            }
        }
        try (GatherStage stage = GatherStage.ofWidth(lab, WIDTH)) {
            GatherWay way = stage.way("/buckets", stage.buckets(WIDTH), lab.amount(200));
            tables.addAll(tables(lab, stage.gatherers().get(0), "Gatherer, /buckets of 100 shards, one client",
                    span -> way.gather(span, 1)));
        }
        return new Found(tables, List.of());
    }

    private static List<Table> tables(Lab lab, Child service, String title, Consumer<Duration> work) {
        Path recording = lab.log(title + ".jfr");
        work.accept(lab.seconds(40));
        jcmd(service, "JFR.start", "name=profile", "settings=profile");
        work.accept(lab.seconds(20));
        jcmd(service, "JFR.dump", "name=profile", "filename=" + recording);
        Map<String, Integer> stages = new TreeMap<>();
        Map<String, Integer> methods = new TreeMap<>();
        try {
            for (RecordedEvent event : RecordingFile.readAllEvents(recording)) {
                if (event.getEventType().getName().equals("jdk.ExecutionSample") && event.getStackTrace() != null) {
                    List<RecordedFrame> frames = event.getStackTrace().getFrames();
                    stages.merge(stage(frames), 1, Integer::sum);
                    methods.merge(type(frames.get(0)).replaceFirst(".*\\.", "") + "." + frames.get(0).getMethod().getName(), 1,
                            Integer::sum);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.of(table(title, "stage", stages), table(title + ": hottest methods", "method", methods));
    }

    private static Table table(String title, String what, Map<String, Integer> counts) {
        int all = counts.values().stream().mapToInt(Integer::intValue).sum();
        return new Table(title, List.of(what, "% of " + all + " samples"), counts.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder())).limit(HOTTEST)
                .map(entry -> List.<Object> of(entry.getKey(), 100.0 * entry.getValue() / all)).toList());
    }

    private static String stage(List<RecordedFrame> frames) {
        String innermost = frames.stream().map(Profile::type).filter(type -> type.startsWith(OWN)).findFirst()
                .orElse(type(frames.get(0)));
        String[] parts = innermost.split("\\.", 5);
        return innermost.startsWith(OWN) && parts.length == 5 ? parts[3] : "(" + parts[0] + "." + parts[1] + ")";
    }

    private static String type(RecordedFrame frame) {
        return frame.getMethod().getType().getName();
    }

    private static void jcmd(Child service, String... command) {
        List<String> all = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(service.process().pid())));
        all.addAll(List.of(command));
        try {
            if (new ProcessBuilder(all).inheritIO().start().onExit().join().exitValue() != 0) {
                throw new IllegalStateException(all + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
