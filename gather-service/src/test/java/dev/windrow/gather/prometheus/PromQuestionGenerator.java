package dev.windrow.gather.prometheus;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

import dev.windrow.gather.model.GeneratedDatasets;
import dev.windrow.gather.model.ModelDataset;
import dev.windrow.gather.model.ModelMeasure;
import dev.windrow.gather.model.World;

/** Draws questions in PromQL about the generated world. */
final class PromQuestionGenerator {

    private static final List<Duration> SPANS = List.of(Duration.ofSeconds(30), Duration.ofMinutes(1), Duration.ofMinutes(7),
            Duration.ofHours(1), Duration.ofHours(6), Duration.ofDays(1), Duration.ofDays(7), Duration.ofDays(40));

    /** Later times are taken for this one. */
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private final RandomGenerator random;

    PromQuestionGenerator(RandomGenerator random) {
        this.random = random;
    }

    PromQuestion draw() {
        List<ModelDataset> datasets = World.DATASETS.stream()
                .filter(dataset -> !dataset.name().equals("heavy") && !dataset.label().isEmpty()
                        && !dataset.index().get(0).equals("forever"))
                // A roll-up of one that was declared later may know earlier events than it does.
                .filter(dataset -> dataset.completeSince() == null)
                .toList();
        ModelDataset dataset = one(datasets);
        String tenant = one(GeneratedDatasets.TENANTS);
        ModelMeasure measure = one(dataset.measures().stream().filter(ModelMeasure::isStored).toList());
        String function = random.nextInt(4) == 0 ? "" : one(functions(measure));
        String wrap = one(List.of("", "sum", "sum", "min", "max", "avg", "count", "topk"));
        BigDecimal factor = random.nextInt(4) == 0 ? new BigDecimal("-0.25") : BigDecimal.ONE;
        Duration step = one(SPANS);
        Instant near = random.nextInt(3) == 0 || dataset.of(tenant).isEmpty()
                ? GeneratedDatasets.FROM.plusSeconds(random.nextInt(28 * 86_400))
                : one(dataset.of(tenant)).time();
        int count = random.nextInt(3) == 0 ? 1 : random.nextInt(2, 25);
        Instant start = near.minus(step.multipliedBy(random.nextInt(count + 1)));
        int within = (int) Math.min(count, 1 + Math.max(0, Duration.between(start, LATEST).dividedBy(step)));
        Instant aligned = Instant
                .ofEpochSecond(start.getEpochSecond() - Math.floorMod(start.getEpochSecond(), step.toSeconds()));
        return new PromQuestion(dataset, tenant, measure, function, one(SPANS), matchers(dataset, tenant), wrap,
                by(dataset), factor, random.nextBoolean() ? aligned : Instant.ofEpochMilli(start.toEpochMilli()), step, within);
    }

    private List<String> functions(ModelMeasure measure) {
        return switch (measure.kind()) {
            case "min" -> List.of("min_over_time");
            case "max" -> List.of("max_over_time");
            case "last" -> List.of("last_over_time");
            case "first" -> List.of("");
            default -> List.of("increase", "increase", "rate");
        };
    }

    private Set<Integer> by(ModelDataset dataset) {
        Set<Integer> by = new TreeSet<>();
        for (int i = 0; i < dataset.label().size(); i++) {
            if (random.nextBoolean()) {
                by.add(i);
            }
        }
        return by;
    }

    private Map<Integer, PromQuestion.Match> matchers(ModelDataset dataset, String tenant) {
        Map<Integer, PromQuestion.Match> matchers = new HashMap<>();
        for (int i = 0; i < dataset.label().size(); i++) {
            if (random.nextInt(3) == 0 && !dataset.of(tenant).isEmpty()) {
                matchers.put(i, matcher(one(dataset.of(tenant)).label().get(i), one(dataset.of(tenant)).label().get(i)));
            }
        }
        return matchers;
    }

    private PromQuestion.Match matcher(String value, String other) {
        String prefix = value.substring(0, value.offsetByCodePoints(0, Math.min(1, value.codePointCount(0, value.length()))));
        return switch (random.nextInt(5)) {
            case 0 -> new PromQuestion.Match("=~" + quoted(escaped(prefix) + ".*"), false, text -> text.startsWith(prefix));
            case 1 -> new PromQuestion.Match("=~" + quoted(escaped(prefix) + ".+"), false,
                    text -> text.startsWith(prefix) && !text.equals(prefix));
            case 2 -> new PromQuestion.Match("=~" + quoted("(" + escaped(value) + "|" + escaped(other) + ")"),
                    value.equals(other), text -> text.equals(value) || text.equals(other));
            default -> new PromQuestion.Match("=" + quoted(value), true, value::equals);
        };
    }

    private static String escaped(String text) {
        return text.replaceAll("[.*+?()\\[\\]{}^$|\\\\]", "\\\\$0");
    }

    private String quoted(String text) {
        String escaped = text.replace("\\", "\\\\").replace("\n", "\\n");
        return random.nextBoolean()
                ? "\"" + escaped.replace("\"", "\\\"") + "\""
                : "'" + escaped.replace("'", "\\'") + "'";
    }

    private <T> T one(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
