package dev.windrow.bench.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.vertx.core.buffer.Buffer;

/**
 * Answers of Query, recorded for each index partition before the experiment: the same bytes whatever range, page size or
 * projection is queried. A partition without a record is empty.
 */
final class RecordedShards {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_REQUESTS = 8_192;
    private static final Reply EMPTY = Reply.ok("{\"Count\":0,\"Items\":[],\"ScannedCount\":0}");

    private final Map<String, Reply> byPartition = new HashMap<>();
    /** The same requests come again and again; looking one up is cheaper than parsing it. */
    private final Map<Buffer, Reply> byRequest = new HashMap<>();

    /** @param items in the protocol's JSON, in the order of the index */
    void put(String indexPartitionKey, List<String> items) {
        byPartition.put(indexPartitionKey, Reply.ok("{\"Count\":" + items.size() + ",\"Items\":[" + String.join(",", items)
                + "],\"ScannedCount\":" + items.size() + "}"));
    }

    Reply query(Buffer request) {
        if (byRequest.size() > MAX_REQUESTS) {
            byRequest.clear();
        }
        return byRequest.computeIfAbsent(request, this::find);
    }

    private Reply find(Buffer request) {
        try {
            for (JsonNode value : JSON.readTree(request.getBytes()).path("ExpressionAttributeValues")) {
                Reply reply = byPartition.get(value.path("S").asText());
                if (reply != null) {
                    return reply;
                }
            }
            return EMPTY;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
