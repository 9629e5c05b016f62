package dev.windrow.gather.prometheus;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.query.Parameters;
import dev.windrow.gather.query.QueryContext;
import dev.windrow.gather.query.QueryKind;

/**
 * Whose data a selection reads, and how.
 *
 * @param tenant whose data
 * @param options parameters of the API that say how to read, by name
 * @param context limits, and how fresh the table is
 * @param maxSamples maximum number of values, series times steps
 * @param held is given the estimated bytes of what is held in addition, and throws if there is no room for it
 */
public record MetricQuery(String tenant, Map<String, List<String>> options, QueryContext context, int maxSamples,
        LongConsumer held) {

    /** How long the request may take. */
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
