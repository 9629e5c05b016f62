package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.process.Child;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * Where a service's time goes: samples of its running threads, taken by Flight Recorder.
 *
 * @param own the packages of the service, with a dot at the end
 * @param unit what its processor time is told in
 */
record Samples(String own, String unit) {

    private static final int HOTTEST = 15;
    private static final String SHARE = "share of samples";

    /**
     * Tables of stages and of methods.
     *
     * @param work what the service does meanwhile; answers its processor time in the unit
     */
    List<Table> during(DoubleSupplier work, Child service, String title, Path recording) {
        Jcmd.run(service.pid(), "JFR.start", "name=profile", "settings=profile");
        double cost = work.getAsDouble();
        Jcmd.run(service.pid(), "JFR.dump", "name=profile", "filename=" + recording);
        return tables(title, cost, recording);
    }

    private List<Table> tables(String title, double cost, Path recording) {
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
        List<List<Object>> byStage = new ArrayList<>(rows(stages, all, cost));
        byStage.add(List.of("all, of " + String.format(Locale.ROOT, "%,d", all) + " samples", "100%", cost));
        return List.of(new Table(title, List.of("stage", SHARE, unit), byStage),
                new Table(title + ": hottest methods", List.of("method", SHARE, unit),
                        rows(methods, all, cost)));
    }

    private static List<List<Object>> rows(Map<String, Integer> counts, int all, double cost) {
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer> comparingByValue(Comparator.reverseOrder())).limit(HOTTEST)
                .map(entry -> List.<Object> of(entry.getKey(),
                        String.format(Locale.ROOT, "%.1f%%", 100.0 * entry.getValue() / all),
                        cost * entry.getValue() / all))
                .toList();
    }

    private String stage(List<RecordedFrame> frames) {
        for (RecordedFrame frame : frames) {
            String type = type(frame);
            if (type.startsWith(own)) {
                String rest = type.substring(own.length());
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
