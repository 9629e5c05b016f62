package dev.windrow.gather.fanout.dynamo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

import dev.windrow.aws.AwsErrorException;
import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.lane.LaneItem;
import dev.windrow.gather.lane.LaneReader;
import dev.windrow.reason.Reason;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;

/**
 * Reads lanes with BatchGetItem. Those that exist have the lowest numbers and stay for good, so it reads those it knows and
 * one more, and goes on only if that exists as well.
 */
public final class DynamoLaneReader implements LaneReader {

    private static final String TARGET = "DynamoDB_20120810.BatchGetItem";
    private static final Set<Reason> PASSING = EnumSet.of(Reason.THROTTLED, Reason.UNAVAILABLE, Reason.TIMED_OUT);
    /** Maximum number of retries of failed reads, and of requests for lanes that DynamoDB left out of its answer. */
    private static final int MAX_TRIES = 4;
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Duration MAX_PAUSE = Duration.ofMillis(200);

    private final AwsJsonClient client;
    private final String table;
    private final Duration timeout;
    private volatile int known;

    /** @param timeout how long one response may take before the request is retried */
    public DynamoLaneReader(AwsJsonClient client, String table, Duration timeout) {
        this.client = client;
        this.table = table;
        this.timeout = timeout;
    }

    @Override
    public Uni<List<LaneItem>> read() {
        return Uni.createFrom().deferred(() -> read(new TreeMap<>(), numbers(0, known + 1), MAX_TRIES))
                .onFailure().transform(QueryFailures::withReason)
                .onFailure(failure -> PASSING.contains(GatherException.reasonOf(failure)))
                .retry().withBackOff(PAUSE, MAX_PAUSE).atMost(MAX_TRIES);
    }

    /** Lanes from a number on, up to another. */
    private static List<Integer> numbers(int from, int to) {
        return IntStream.range(from, Math.min(to, TableSchema.MAX_LANES)).boxed().toList();
    }

    /** Reads further lanes; {@code lanes} holds those that were read. */
    private Uni<List<LaneItem>> read(Map<Integer, LaneItem> lanes, List<Integer> numbers, int triesLeft) {
        return client.post(TARGET, LaneCodec.request(table, numbers), timeout).onItem().transformToUni(answer -> {
            LaneCodec.Page page = page(answer);
            lanes.putAll(page.lanes());
            if (!page.unprocessed().isEmpty()) {
                return triesLeft > 1
                        ? Uni.createFrom().voidItem().onItem().delayIt().by(PAUSE).onItem()
                                .transformToUni(paused -> read(lanes, List.copyOf(page.unprocessed()), triesLeft - 1))
                        : Uni.createFrom().failure(new GatherException(Reason.THROTTLED, "DynamoDB left out lanes"));
            }
            int last = numbers.get(numbers.size() - 1);
            if (lanes.containsKey(last) && last + 1 < TableSchema.MAX_LANES) {
                return read(lanes, numbers(last + 1, 2 * (last + 1)), MAX_TRIES);
            }
            known = Math.max(known, lanes.size());
            return Uni.createFrom().item(new ArrayList<>(lanes.values()));
        });
    }

    private static LaneCodec.Page page(AwsResponse answer) {
        if (!answer.isOk()) {
            throw new AwsErrorException(answer.refusal());
        }
        try {
            return LaneCodec.page(answer.body());
        } catch (IOException e) {
            throw new GatherException(Reason.UNAVAILABLE, e);
        }
    }
}
