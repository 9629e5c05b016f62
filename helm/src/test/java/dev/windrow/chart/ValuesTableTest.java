package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ValuesTableTest {

    @Test
    void documentedKeysBecomeRows() {
        assertThat(ValuesTable.of("""
                # A section.
                a:
                  # -- The first.
                  first: 1
                  # -- The second, with everything in it.
                  second:
                    x: 1
                # -- The last.
                b: []
                """)).isEqualTo("""
                | value | default | meaning |
                |---|---|---|
                | `a.first` | `1` | The first. |
                | `a.second` | `{"x":1}` | The second, with everything in it. |
                | `b` | `[]` | The last. |
                """);
    }

    @Test
    void aValueWithoutACommentIsAMistake() {
        assertThatThrownBy(() -> ValuesTable.of("""
                # -- Known.
                a: 1
                b: 2
                """)).hasMessageContaining("b: expected a comment");
    }
}
