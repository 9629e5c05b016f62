package dev.windrow.gather.read;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.MeasureValues;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.unchecked.Unchecked;

/** A page as JSON in a cache that several gatherers share. Numbers stay exact. */
@RegisterForReflection(targets = { PageDocument.class, PageDocument.Item.class, MeasureValue.class })
record PageDocument(List<Item> items, @Nullable Map<String, String> next, int scanned, double units) {

    private static final ObjectMapper JSON = new ObjectMapper().registerModule(new JavaTimeModule())
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

    record Item(String key, String group, List<@Nullable MeasureValue> values) {
    }

    static String encode(ShardPage page) {
        List<Item> items = page.items().stream()
                .map(item -> new Item(item.key(), item.group(), item.values().values())).toList();
        return Unchecked.supplier(() -> JSON.writeValueAsString(
                new PageDocument(items, page.next().orElse(null), page.scannedItems(), page.readUnits()))).get();
    }

    static ShardPage decode(List<Measure> measures, String text) throws IOException {
        PageDocument page = JSON.readValue(text, PageDocument.class);
        return new ShardPage(page.items.stream()
                .map(item -> new ShardItem(item.key, item.group, new MeasureValues(measures, item.values))).toList(),
                Optional.ofNullable(page.next), page.scanned, page.units);
    }
}
