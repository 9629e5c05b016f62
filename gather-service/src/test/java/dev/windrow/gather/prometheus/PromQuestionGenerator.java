package dev.windrow.gather.prometheus;

import static dev.windrow.gather.testing.Draws.any;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.windrow.gather.model.GeneratedDatasets;
import dev.windrow.gather.model.ModelDataset;
import dev.windrow.gather.model.ModelEvent;
import dev.windrow.gather.model.ModelMeasure;
import dev.windrow.gather.prometheus.PromQuestion.Absent;
import dev.windrow.gather.prometheus.PromQuestion.Constant;
import dev.windrow.gather.prometheus.PromQuestion.NumberOperation;
import dev.windrow.gather.prometheus.PromQuestion.Operation;
import dev.windrow.gather.prometheus.PromQuestion.Vector;
import dev.windrow.gather.prometheus.PromSelection.Match;

/** Draws questions in PromQL about the generated world. */
final class PromQuestionGenerator {

    private static final List<Duration> SPANS = List.of(Duration.ofSeconds(30), Duration.ofMinutes(1), Duration.ofMinutes(7),
            Duration.ofHours(1), Duration.ofHours(6), Duration.ofDays(1), Duration.ofDays(7), Duration.ofDays(40));

    /** Later times are replaced by this one. */
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private static final List<String> SYMBOLS = List.of("+", "-", "*", "/", "/", "%", "==", "!=", "<", ">", "<=", ">=",
            "< bool", "== bool", ">= bool");
    private static final List<BigDecimal> NUMBERS = Stream.of("0", "1", "2", "-0.25", "0.001", "7", "1000").map(BigDecimal::new)
            .toList();

    private final RandomGenerator random;
    private final Instant now;
    private final List<ModelDataset> datasets;

    /** @param now approximate time at which it will be asked */
    PromQuestionGenerator(RandomGenerator random, Instant now, List<ModelDataset> world) {
        this.random = random;
        this.now = now;
        this.datasets = world.stream()
                .filter(dataset -> !dataset.name().equals("heavy") && !dataset.label().isEmpty()
                        && !dataset.index().get(0).equals("forever"))
                // A roll-up of a dataset that was declared later may have earlier events than the dataset.
                .filter(dataset -> dataset.completeSince() == null)
                .toList();
    }

    /** Draws a question; draws again, a few times, if the answer would be empty. */
    PromQuestion draw() {
        PromQuestion question = drawn();
        for (int i = 0; i < 3 && question.expected().isEmpty(); i++) {
            question = drawn();
        }
        return question;
    }

    private PromQuestion drawn() {
        String tenant = any(GeneratedDatasets.TENANTS, random);
        PromSelection base = selection(tenant, any(datasets, random));
        Duration step = any(SPANS, random);
        List<ModelEvent> events = base.dataset().of(tenant);
        Instant near = (random.nextInt(3) == 0 || events.isEmpty()
                ? GeneratedDatasets.FROM.plusSeconds(random.nextInt(28 * 86_400))
                : any(events, random).time()).plus(base.offset());
        int count = random.nextInt(3) == 0 ? 1 : random.nextInt(2, 25);
        Instant start = (near.isAfter(LATEST) ? LATEST : near).minus(step.multipliedBy(random.nextInt(count + 1)));
        int within = (int) Math.min(count, 1 + Math.max(0, Duration.between(start, LATEST).dividedBy(step)));
        Instant aligned = Instant
                .ofEpochSecond(start.getEpochSecond() - Math.floorMod(start.getEpochSecond(), step.toSeconds()));
        return new PromQuestion(vector(base, 2), tenant,
                random.nextBoolean() ? aligned : Instant.ofEpochMilli(start.toEpochMilli()), step, within);
    }

    /** @param depth maximum nesting of operators and functions */
    private Vector vector(PromSelection base, int depth) {
        switch (depth == 0 ? 0 : random.nextInt(9)) {
            case 0, 1 -> {
                return base;
            }
            case 2 -> {
                String symbol = any(SYMBOLS, random);
                BigDecimal number = any(NUMBERS, random);
                boolean first = (number.signum() == 0 && List.of("/", "%").contains(symbol)) || random.nextBoolean();
                return new NumberOperation(symbol, vector(base, depth - 1), number, first);
            }
            case 3 -> {
                return new Absent(vector(base, depth - 1));
            }
            case 4 -> {
                return new Operation("or", vector(base, depth - 1), new Constant(any(NUMBERS, random)));
            }
            case 5 -> {
                return new Operation("or", vector(base, depth - 1), vector(partner(base), depth - 1));
            }
            default -> {
                Vector one = vector(base, depth - 1);
                Vector other = vector(partner(base), depth - 1);
                return random.nextBoolean() ? new Operation(any(SYMBOLS, random), one, other)
                        : new Operation(any(SYMBOLS, random), other, one);
            }
        }
    }

    /** The same selection, or one that may have series with the same labels. */
    private PromSelection partner(PromSelection base) {
        PromSelection other = selection(base.tenant(), random.nextBoolean() ? base.dataset() : any(datasets, random));
        String wrap = any(List.of("sum", "max", "count"), random);
        return switch (random.nextInt(4)) {
            case 0, 3 -> base;
            case 1 -> new PromSelection(base.dataset(), base.tenant(), base.measure(), base.function(), base.window(),
                    other.offset(), base.matchers(), base.wrap(), base.by(), base.factor(), now);
            default -> new PromSelection(other.dataset(), other.tenant(), other.measure(), other.function(), base.window(),
                    base.offset(), other.dataset().equals(base.dataset()) ? base.matchers() : other.matchers(),
                    base.wrap().isEmpty() ? "" : wrap,
                    base.by().stream().filter(i -> i < other.dataset().label().size()).collect(Collectors.toSet()),
                    other.factor(), now);
        };
    }

    private PromSelection selection(String tenant, ModelDataset dataset) {
        ModelMeasure measure = any(dataset.measures().stream().filter(ModelMeasure::isStored).toList(), random);
        String function = random.nextInt(4) == 0 ? "" : any(functions(measure), random);
        Duration offset = random.nextInt(3) > 0 ? Duration.ZERO
                : any(SPANS, random).multipliedBy(random.nextBoolean() ? 1 : -1);
        String wrap = any(List.of("", "sum", "sum", "min", "max", "avg", "count", "topk"), random);
        BigDecimal factor = random.nextInt(4) == 0 ? new BigDecimal("-0.25") : BigDecimal.ONE;
        return new PromSelection(dataset, tenant, measure, function, any(SPANS, random), offset, matchers(dataset, tenant),
                wrap,
                by(dataset), factor, now);
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

    private Map<Integer, Match> matchers(ModelDataset dataset, String tenant) {
        Map<Integer, Match> matchers = new HashMap<>();
        for (int i = 0; i < dataset.label().size(); i++) {
            if (random.nextInt(3) == 0 && !dataset.of(tenant).isEmpty()) {
                matchers.put(i, matcher(any(dataset.of(tenant), random).label().get(i),
                        any(dataset.of(tenant), random).label().get(i)));
            }
        }
        return matchers;
    }

    private Match matcher(String value, String other) {
        String prefix = value.substring(0, value.offsetByCodePoints(0, Math.min(1, value.codePointCount(0, value.length()))));
        String last = value.substring(value.offsetByCodePoints(0, Math.max(0, value.codePointCount(0, value.length()) - 1)));
        return switch (random.nextInt(9)) {
            case 0 -> new Match("=~" + quoted(escaped(prefix) + ".*"), "", false, text -> text.startsWith(prefix));
            case 1 -> new Match("=~" + quoted(escaped(prefix) + ".+"), "", false,
                    text -> text.startsWith(prefix) && !text.equals(prefix));
            case 2 -> new Match("=~" + quoted("(" + escaped(value) + "|" + escaped(other) + ")"),
                    "", value.equals(other), text -> text.equals(value) || text.equals(other));
            case 3 -> new Match("!=" + quoted(value), "", false, text -> !text.equals(value));
            case 4 -> new Match("!~" + quoted(escaped(prefix) + ".*|" + escaped(other)), "", false,
                    text -> !text.startsWith(prefix) && !text.equals(other));
            case 5 -> new Match("=~" + quoted(".*" + escaped(last) + ".*"), "", false, text -> text.contains(last));
            case 6 -> new Match("=~" + quoted("(?i)" + escaped(prefix) + ".*" + escaped(last)), "", false,
                    text -> Pattern.compile(Pattern.quote(prefix) + ".*" + Pattern.quote(last),
                            Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL).matcher(text).matches());
            default -> new Match("=" + quoted(value), value, true, value::equals);
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
}
