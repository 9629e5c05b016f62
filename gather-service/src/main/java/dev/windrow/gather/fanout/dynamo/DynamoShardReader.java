package dev.windrow.gather.fanout.dynamo;

import java.io.IOException;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.gather.fanout.ShardPage;
import dev.windrow.gather.fanout.ShardReader;
import io.smallrye.mutiny.Uni;

/**
 * Reads shards by DynamoDB's wire protocol: one signed POST a page, on the caller's event loop, and the response read as a
 * stream into items. Never retries; a read that times out closes its connection.
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
        return client.post(TARGET, QueryCodec.request(shape, read), timeout,
                new PageReader(new ItemDecoder(shape, read.query())));
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

    /** Reads the page in an answer. */
    private record PageReader(ItemDecoder decoder) implements AwsJsonClient.ResponseReader<ShardPage> {

        @Override
        public ShardPage read(AwsResponse answer) throws IOException {
            answer.requireOk();
            return QueryCodec.page(answer.body(), decoder);
        }

        @Override
        public Throwable failure(Throwable failure) {
            return QueryFailures.withReason(failure);
        }
    }
}
