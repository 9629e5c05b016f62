package dev.windrow.gather.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.net.URI;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** DynamoDB refuses to read an index while it builds it (status CREATING): answers are the same, from all labels. */
@QuarkusTest
@TestProfile(ModelProfile.class)
class RankBeingBuiltTest {

    /** For ever, of which no page is kept in the cache. */
    private static final String GRANULARITY = "forever";

    @TestHTTPResource("/")
    URI service;

    FaultProxy proxy;

    private final ModelDataset dataset = World.dataset("board");

    @AfterEach
    void build() {
        proxy.use(FaultPlan.none());
    }

    @Test
    void topAndPositionAreThoseOfAllLabelsUntilTheIndexIsBuilt() {
        // Given
        GatherClient client = new GatherClient(service);
        ModelRank rank = dataset.ranks().stream().filter(any -> any.granularities().contains(GRANULARITY)).findFirst()
                .orElseThrow();
        List<ModelEvent> events = dataset.of("default");
        ModelTop order = new ModelTop(ModelTop.whole(1), dataset.measure(rank.by()), "desc", ModelTop.ALL, null,
                BigDecimal.ZERO);
        List<List<String>> labels = order.groups(events);
        List<String> label = labels.get(labels.size() / 2);
        Query top = Query.of("board/top", "by", rank.by(), "n", "7", "explain", "true");
        Query position = Query.of("board/position", "by", rank.by(), "label", label.get(0), "around", "2", "explain", "true");
        List<String> places = new ModelPosition(label, order, 2).rows(events);

        for (String source : List.of("index", "rank")) {
            // When
            proxy.use(source.equals("rank") ? FaultPlan.none()
                    : DynamoDbFaults.indexBeingBuilt(index -> index.startsWith("rank-")));
            Response listed = client.answered(top);
            Response placed = client.answered(position);

            // Then
            assertThat(source(listed)).isEqualTo(source);
            assertThat(source(placed)).isEqualTo(source);
            assertThat(listed.isComplete()).isTrue();
            assertThat(listed.rows(dataset.measures())).extracting(row -> row.substring(0, row.indexOf(" | ")))
                    .isEqualTo(labels.subList(0, 7).stream().map(List::toString).toList());
            assertThat(ModelPosition.rows(placed.json())).isEqualTo(places);
        }
    }

    private static String source(Response answer) {
        return answer.json().at("/explain/plan/0/source").asText();
    }
}
