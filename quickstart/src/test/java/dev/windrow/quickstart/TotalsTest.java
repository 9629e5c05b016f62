package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.windrow.quickstart.Totals.Total;

class TotalsTest {

    @Test
    void referrersAddUp() {
        Totals totals = totals("a", 1, "b", 2, "a", 3);

        assertThat(totals.sum()).isEqualTo(new Total(3, 6));
        assertThat(totals.top(5)).containsExactly(Map.entry("a", new Total(2, 4)), Map.entry("b", new Total(1, 2)));
        assertThat(totals.top(1)).hasSize(1);
    }

    @Test
    void differencesAreReportedFromBothSides() {
        Totals sent = totals("a", 1, "b", 2);
        Totals answered = totals("a", 1, "c", 2);

        assertThat(sent.differences(sent)).isEmpty();
        assertThat(sent.differences(answered)).hasSize(2).anyMatch(line -> line.startsWith("b /: "))
                .anyMatch(line -> line.startsWith("c /: "));
    }

    private static Totals totals(Object... referrersAndBytes) {
        Totals totals = new Totals();
        for (int i = 0; i < referrersAndBytes.length; i += 2) {
            totals.add(List.of((String) referrersAndBytes[i], "/"), 1, (Integer) referrersAndBytes[i + 1]);
        }
        return totals;
    }
}
