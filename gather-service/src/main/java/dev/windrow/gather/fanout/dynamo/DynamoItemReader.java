package dev.windrow.gather.fanout.dynamo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.base.Joined;
import dev.windrow.base.Reason;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.fanout.ItemReader;
import io.smallrye.mutiny.Uni;

/** Reads items with BatchGetItem, a hundred per request, and retries passing failures and what DynamoDB leaves out. */
public final class DynamoItemReader implements ItemReader {

    private static final String TARGET = "DynamoDB_20120810.BatchGetItem";
    /** Maximum number of items of a request (DynamoDB API reference, BatchGetItem). */
    private static final int BATCH = 100;
    private static final int CONCURRENT_BATCHES = 4;
    private static final Set<Reason> PASSING = EnumSet.of(Reason.THROTTLED, Reason.UNAVAILABLE, Reason.TIMED_OUT);
    private static final int MAX_TRIES = 5;
    private static final Duration PAUSE = Duration.ofMillis(25);
    private static final Duration MAX_PAUSE = Duration.ofMillis(500);

    private final AwsJsonClient client;
    private final String table;
    private final Duration timeout;

    /** @param timeout how long an answer may take */
    public DynamoItemReader(AwsJsonClient client, String table, Duration timeout) {
        this.client = client;
        this.table = table;
        this.timeout = timeout;
    }

    @Override
    public Uni<Items> read(List<ItemKey> keys, List<String> attributes, boolean consistent) {
        List<Uni<Batch>> batches = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += BATCH) {
            batches.add(new Batch(keys.subList(from, Math.min(keys.size(), from + BATCH)), attributes, consistent).read());
        }
        return batches.isEmpty() ? Uni.createFrom().item(new Items(List.of(), 0))
                : Joined.all(batches, CONCURRENT_BATCHES).map(DynamoItemReader::together);
    }

    private static Items together(List<Batch> batches) {
        return new Items(batches.stream().flatMap(batch -> batch.found.stream()).toList(),
                batches.stream().mapToDouble(batch -> batch.readUnits).sum());
    }

    /** What is left of a batch, and what was found of it. One request at a time. */
    private final class Batch {

        private final List<String> attributes;
        private final boolean consistent;
        private final List<Map<String, String>> found = new ArrayList<>();
        private List<ItemKey> left;
        private double readUnits;

        Batch(List<ItemKey> keys, List<String> attributes, boolean consistent) {
            this.left = List.copyOf(keys);
            this.attributes = attributes;
            this.consistent = consistent;
        }

        Uni<Batch> read() {
            return Uni.createFrom().deferred(
                    () -> client.post(TARGET, ItemsCodec.request(table, left, attributes, consistent), timeout))
                    .map(this::take)
                    .onFailure().transform(QueryFailures::withReason)
                    .onFailure(failure -> PASSING.contains(GatherException.reasonOf(failure)))
                    .retry().withBackOff(PAUSE, MAX_PAUSE).atMost(MAX_TRIES);
        }

        private Batch take(AwsResponse answer) {
            answer.requireOk();
            ItemsCodec.Page page = page(answer);
            found.addAll(page.items());
            readUnits += page.readUnits();
            left = page.unprocessed();
            if (!left.isEmpty()) {
                throw new GatherException(Reason.THROTTLED, "DynamoDB left out " + left.size() + " items");
            }
            return this;
        }

        private ItemsCodec.Page page(AwsResponse answer) {
            try {
                return ItemsCodec.page(answer.body());
            } catch (IOException e) {
                throw new GatherException(Reason.UNAVAILABLE, e);
            }
        }
    }
}
