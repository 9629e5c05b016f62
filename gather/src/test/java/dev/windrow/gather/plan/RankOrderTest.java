package dev.windrow.gather.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.windrow.base.KeyCodec;
import dev.windrow.gather.plan.RankPlan.RankOrder;
import dev.windrow.gather.plan.RankPlan.RankOrder.Place;
import dev.windrow.gather.plan.RankPlan.Ranking;
import dev.windrow.table.Label;
import dev.windrow.table.Utf8Order;
import dev.windrow.testing.Seeds;

class RankOrderTest {

    private static final List<String> VALUES = List.of("", " ", "!", "#", "$", "$S", "%", "a", "a#", "a#b", "ab", "b",
            "\ud7ff", "\ue000", "\uffff", "\ud83d\ude00", "a\ue000", "a\ud83d\ude00");

    @Test
    void equalsAreInTheOrderOfTheirKeys() {
        RandomGenerator random = Seeds.random("RankOrderTest");
        for (int i = 0; i < 5_000; i++) {
            Label a = label(random);
            Label b = label(random);
            int expected = Utf8Order.ASCENDING.compare(KeyCodec.encode(a.values()), KeyCodec.encode(b.values()));

            int order = RankOrder.of(Ranking.DESC).places().compare(new Place(BigDecimal.ONE, a), new Place(BigDecimal.ONE, b));

            assertThat(Integer.signum(order)).as("%s and %s", a, b).isEqualTo(Integer.signum(expected));
        }
    }

    private static Label label(RandomGenerator random) {
        return new Label(IntStream.range(0, random.nextInt(1, 4))
                .mapToObj(part -> VALUES.get(random.nextInt(VALUES.size()))).toList());
    }
}
