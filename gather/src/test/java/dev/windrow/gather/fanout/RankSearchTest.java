package dev.windrow.gather.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.ItemFilter;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.ReadSource;
import dev.windrow.gather.plan.ShardQuery;
import dev.windrow.gather.rank.RankOrder;
import dev.windrow.gather.rank.RankPlace;
import dev.windrow.gather.rank.Ranking;
import dev.windrow.gather.read.ShardItem;
import dev.windrow.gather.read.ShardPage;
import dev.windrow.table.Label;

class RankSearchTest {

    private static final List<Measure> MEASURES = List.of(new Measure("best", MeasureKind.MAX, "score"));

    @Test
    void aLabelWhoseValueMovesBetweenTwoPagesIsListedAndCountedOnce() {
        RankOrder order = RankOrder.of(Ranking.DESC);
        List<RankPlace> firstPage = List.of(place(12, "a"), place(10, "b"), place(10, "c"), place(10, "d"));
        List<RankPlace> secondPage = List.of(place(10, "a"), place(10, "e"), place(9, "f"), place(8, "g"));

        RankSearch search = search(List.of(Stream.concat(firstPage.stream(), secondPage.stream()).toList()), order,
                Optional.empty(), 3, firstPage.size());

        assertThat(search.first()).extracting(RankSearch.Item::place)
                .containsExactly(place(12, "a"), place(10, "b"), place(10, "c"));
        assertThat(search.counts()).isEqualTo(Map.of(BigDecimal.valueOf(12), 1, BigDecimal.TEN, 4));
    }

    private static RankPlace place(int number, String user) {
        return new RankPlace(BigDecimal.valueOf(number), Label.of("game", user));
    }

    private static RankSearch search(List<List<RankPlace>> shards, RankOrder order, Optional<RankPlace> after, int wanted,
            int page) {
        RankSearch search = new RankSearch(
                IntStream.range(0, shards.size()).mapToObj(shard -> new ShardQuery(ReadSource.RANK, shard,
                        "p#" + shard, "", "", false, false, Instant.EPOCH, List.of(), ItemFilter.ALL)).toList(),
                Dataset.columns(MEASURES).get(0), order, after, wanted);
        int[] read = new int[shards.size()];
        List<RankSearch.Shard> due = search.due();
        while (!due.isEmpty()) {
            due.forEach(shard -> {
                int number = shard.query.shard();
                List<RankPlace> places = shards.get(number);
                int to = Math.min(places.size(), read[number] + page);
                List<ShardItem> items = places.subList(read[number], to).stream().map(RankSearchTest::item).toList();
                read[number] = to;
                shard.take(new ShardPage(items, to < places.size()
                        ? Optional.of(Map.of("i", Integer.toString(to)))
                        : Optional.empty(), items.size(), 0.5));
            });
            search.merge();
            due = search.due();
        }
        return search;
    }

    private static ShardItem item(RankPlace place) {
        List<String> parts = new ArrayList<>(List.of("2026-11-20T00:00:00Z"));
        parts.addAll(place.label().values());
        String key = KeyCodec.encode(parts);
        return new ShardItem(key, key, new MeasureValues(MEASURES, List.of(MeasureValue.of(place.number()))));
    }
}
