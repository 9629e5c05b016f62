package dev.windrow.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.DatasetShape;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.InvalidDatasetsException;
import dev.windrow.dataset.Measure;

class ConditionTest {

    private static Dataset hits(String measure, String more) {
        return DatasetsYaml.parse("test", """
                windrow:
                  datasets:
                    hits:
                      event-type: hit
                      label: []
                      granularities: [day]
                      measures: {m: %s}
                %s
                """.formatted(measure, more.indent(6))).named("hits").orElseThrow();
    }

    private static Event event(String name, Attribute value) {
        Map<String, Attribute> attributes = new HashMap<>();
        if (value != null) {
            attributes.put(name, value);
        }
        return new Event("hit", Instant.EPOCH, null, "default", attributes);
    }

    private static Attribute value(String text) {
        return switch (text) {
            case "none" -> null;
            case "[]" -> new Attribute.Nested();
            case "true", "false" -> new Attribute.Flag(text.equals("true"));
            default ->
                text.startsWith("'") ? new Attribute.Text(text.substring(1)) : new Attribute.Decimal(new BigDecimal(text));
        };
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = { "200 | 200 | true", "200 | '200 | true", "200 | 200.0 | true",
            "200 | 201 | false", "200 | none | false", "200 | [] | false", "[a, b] | 'b | true", "[a, b] | 'c | false",
            "true | true | true", "true | 'true | true", "true | false | false", "{prefix: /api/} | '/api/x | true",
            "{prefix: /api/} | '/ap | false", "{prefix: /api/} | none | false", "{prefix: \"2\"} | 200 | true",
            "{from: 500} | 500 | true", "{from: 500} | '500 | true", "{from: 500} | 499.999 | false",
            "{from: 500} | 'x | false",
            "{from: 500} | true | false", "{from: 500} | none | false", "{below: 600} | 599.9 | true",
            "{below: 600} | 600 | false", "{below: 600} | -1e30 | true", "{from: 500, below: 600} | 600 | false",
            "{from: 500, below: 600} | '5.5e2 | true", "{from: -0.5} | -0.5 | true", "{exists: true} | [] | true",
            "{exists: true} | none | false", "{exists: false} | none | true", "{exists: false} | 0 | false" })
    void holdsForValues(String condition, String value, boolean holds) {
        Measure count = hits("{type: count, where: {a: " + condition + "}}", "").measures().get(0);
        Dataset dataset = hits("{type: count}", "where: {a: " + condition + "}");

        assertThat(count.includes(event("a", value(value)))).isEqualTo(holds);
        assertThat(dataset.includes(event("a", value(value)))).isEqualTo(holds);
        assertThat(count.where().get("a").holds(count.where().get("a").example().orElse(null))).as("its example").isTrue();
    }

    @Test
    void allConditionsMustHold() {
        Measure count = hits("{type: count, where: {a: 1, b: {exists: false}}}", "").measures().get(0);

        assertThat(count.broughtBy(new Event("hit", Instant.EPOCH, null, "default", Map.of("a", value("1")), -3)))
                .isEqualByComparingTo("-3");
        assertThat(count.broughtBy(new Event("hit", Instant.EPOCH, null, "default", Map.of("a", value("1"), "b", value("1")))))
                .isNull();
        assertThat(count.countsAll()).isFalse();
    }

    @Test
    void aCountOfAnAttributeCountsEventsThatHaveIt() {
        Measure count = hits("{type: count, attribute: ms}", "").measures().get(0);

        assertThat(count.broughtBy(event("ms", value("'x")))).isEqualByComparingTo("1");
        assertThat(count.broughtBy(event("ms", value("[]")))).isEqualByComparingTo("1");
        assertThat(count.broughtBy(event("ms", null))).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = { "{} | where: expected at least one named entry",
            "{a: {}} | where.a: expected a value, a list of values, {prefix: …}, {from: …, below: …} or {exists: …}",
            "{a: {prefix: x, exists: true}} | where.a: expected a value",
            "{a: {from: x}} | where.a.from: expected a number, found 'x'",
            "{a: {from: 5, below: 5}} | where.a.below: must be greater than from",
            "{a: {prefix: ''}} | where.a.prefix: expected the beginning of a text", "{a: []} | where.a: expected a list",
            "{a: no} | where.a: expected text, found no, which YAML takes for a boolean",
            "{a: {is: 1}} | where.a.is: unknown field: the known ones are below, exists, from, prefix" })
    void whatIsWrongIsNamedWithItsField(String where, String problem) {
        for (String[] place : new String[][] { { "{type: count, where: " + where + "}", "", "measures.m." },
                { "{type: count}", "where: " + where, "" } }) {
            InvalidDatasetsException invalid = catchThrowableOfType(InvalidDatasetsException.class,
                    () -> hits(place[0], place[1]));

            assertThat(invalid).isNotNull();
            assertThat(invalid).hasMessageContaining("\n  windrow.datasets.hits." + place[2] + problem);
        }
    }

    @Test
    void conditionsAreInTheShape() {
        String plain = DatasetShape.of(hits("{type: count}", ""), List.of()).text();
        String one = DatasetShape.of(hits("{type: count, where: {a: [b, c], d: {from: 1}}}", "where: {x: {exists: true}}"),
                List.of()).text();
        String same = DatasetShape.of(hits("{type: count, where: {d: {from: 1.0}, a: [c, b]}}", "where: {x: {exists: true}}"),
                List.of()).text();

        assertThat(plain).contains("\nwhere=\n", "measures=m#count\n");
        assertThat(one).isEqualTo(same).isNotEqualTo(plain);
        for (String other : new String[] { "{type: count, where: {a: [b, c], d: {from: 2}}}",
                "{type: count, where: {a: [b, c], d: {below: 1}}}", "{type: count, where: {a: b, d: {from: 1}}}",
                "{type: count, where: {a: {prefix: b}, d: {from: 1}}}" }) {
            assertThat(DatasetShape.of(hits(other, "where: {x: {exists: true}}"), List.of()).text()).isNotEqualTo(one);
        }
    }
}
