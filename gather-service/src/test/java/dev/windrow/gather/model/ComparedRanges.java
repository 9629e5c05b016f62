package dev.windrow.gather.model;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A period and the one it is compared with.
 *
 * @param parameters names and values by turns
 * @param period the period
 * @param against the other one
 */
record ComparedRanges(List<String> parameters, ModelRange period, ModelRange against) {

    static ComparedRanges of(ModelDataset dataset, RandomGenerator random) {
        Instant from = dataset.name().equals("edges")
                ? Instant.ofEpochSecond(random.nextLong(20 * 86_400))
                : GeneratedDatasets.FROM.plusSeconds(random.nextLong(20 * 86_400));
        Instant to = from.plusSeconds(random.nextLong(8 * 86_400));
        ModelRange period = new ModelRange(from, to);
        return switch (random.nextInt(6)) {
            case 0 -> named("previous", period, period.earlier(Duration.between(from, to)));
            case 1 -> named("day", period, period.earlier(Duration.ofDays(1)));
            case 2 -> named("week", period, period.earlier(Duration.ofDays(7)));
            case 3 -> named("month", period, new ModelRange(from.atOffset(ZoneOffset.UTC).minusMonths(1).toInstant(),
                    to.atOffset(ZoneOffset.UTC).minusMonths(1).toInstant()));
            case 4 -> named("year", period, new ModelRange(from.atOffset(ZoneOffset.UTC).minusYears(1).toInstant(),
                    to.atOffset(ZoneOffset.UTC).minusYears(1).toInstant()));
            default -> {
                Instant earlier = from.minusSeconds(random.nextLong(86_400));
                ModelRange against = new ModelRange(earlier.isBefore(Instant.EPOCH) ? Instant.EPOCH : earlier, to);
                yield new ComparedRanges(
                        List.of("againstFrom", against.from().toString(), "againstTo", to.toString()), period, against);
            }
        };
    }

    private static ComparedRanges named(String against, ModelRange period, ModelRange other) {
        return new ComparedRanges(List.of("against", against), period, other);
    }
}
