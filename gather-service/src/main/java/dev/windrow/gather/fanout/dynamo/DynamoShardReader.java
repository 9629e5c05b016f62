package dev.windrow.gather.fanout.dynamo;

import java.io.IOException;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.windrow.aws.AwsErrorException;
import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.fanout.ShardPage;
import dev.windrow.gather.fanout.ShardReader;
import dev.windrow.reason.Reason;
import io.smallrye.mutiny.Uni;

/**
 * Reads shards by DynamoDB's wire protocol: one signed POST a page, on the caller's event loop, and the response read as a
 * stream into items. Never retries; a read that is given up closes its connection.
 */
public final class DynamoShardReader implements ShardReader {

    private static final String TARGET = "DynamoDB_20120810.Query";

    private final AwsJsonClient client;
    private final String table;
    private final Duration timeout;
    private volatile @Nullable QueryShape latest;

    /** @param timeout how long an answer may take */
    public DynamoShardReader(AwsJsonClient client, String table, Duration timeout) {
        this.client = client;
        this.table = table;
        this.timeout = timeout;
    }

    @Override
    public Uni<ShardPage> read(Read read) {
        QueryShape shape = shape(read);
        ItemDecoder decoder = new ItemDecoder(shape, read.query());
        return client.post(TARGET, QueryCodec.request(shape, read), timeout)
                .map(answer -> page(answer, decoder))
                .onFailure().transform(QueryFailures::withReason);
    }

    /** All shards of a query have the same shape. It is made anew where queries of different shapes alternate. */
    private QueryShape shape(Read read) {
        QueryShape known = latest;
        if (known != null && known.isOf(read.dataset(), read.query().source(), read.query().rankedBy())) {
            return known;
        }
        QueryShape shape = new QueryShape(table, read.dataset(), read.query().source(), read.query().rankedBy());
        latest = shape;
        return shape;
    }

    private static ShardPage page(AwsResponse answer, ItemDecoder decoder) {
        if (answer.isOk()) {
            try {
                return QueryCodec.page(answer.body(), decoder);
            } catch (IOException e) {
                throw new GatherException(Reason.UNAVAILABLE, e);
            }
        }
        throw new AwsErrorException(answer.refusal());
    }
}
