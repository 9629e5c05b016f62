package dev.windrow.gather.prometheus;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.plan.QueryContext;

/**
 * The tenant whose data a selection reads, and how it is read.
 *
 * @param options parameters of the API that say how to read, by name
 * @param context limits, and how fresh the table is
 * @param maxSamples maximum number of values, series times steps
 * @param held receives the estimated bytes of what is held in addition, and throws if there is no room for it
 */
public record MetricQuery(String tenant, Map<String, List<String>> options, QueryContext context, int maxSamples,
        LongConsumer held) {

    public Duration timeout() {
        return context.timeout(Parameters.of(QueryKind.TOTALS, options));
    }

    /** @throws InvalidInputException with {@link Reason#RANGE_TOO_LONG} if there are too many values */
    public void require(long samples) {
        if (samples > maxSamples) {
            throw new InvalidInputException(Reason.RANGE_TOO_LONG, "query", "expected at most " + maxSamples
                    + " samples (series times steps): use fewer labels, a shorter range or longer steps");
        }
    }
}
