package dev.windrow.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.event.Condition;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Seeds;

/** Every number of the dataset file is read as it is written, or refused. */
class YamlNumbersTest {

    private static final int CASES = GeneratedCases.count("windrow.yaml-numbers", 2_000, 100_000);

    private static final String FILE = """
            windrow:
              datasets:
                clicks:
                  event-type: click
                  label: [a, b, c]
                  granularities: [day]
                  index: [day]
                  partition: 1
                  key-shards: 1
                  scatter: [{width: 10}]
                  where: {x: {from: -5}, z: {below: 5e40}, from: {from: 1}}
                  measures: {events: {type: count}, bytes: {type: sum, attribute: bytes, decimals: 3, where: {below: 7}}}
              events:
                - {type: click, when: {a: 404, b: {below: 5}, from: [12]}, time: sent, attributes: {a: {path: a, default: 8, factor: 3}}}
            """;

    /** A place for a number, and what is read there. */
    private record Place(String before, String after, Function<Datasets, Object> read) {

        String file(String number) {
            assertThat(FILE).containsOnlyOnce(before + after.split("~", -1)[0] + after.split("~", -1)[1]);
            String[] around = after.split("~", -1);
            return FILE.replace(before + around[0] + around[1], before + number + around[1]);
        }
    }

    private static final List<Place> PLACES = List.of(
            new Place("partition: ", "1~\n", all -> clicks(all).partition()),
            new Place("key-shards: ", "1~\n", all -> clicks(all).keyShards()),
            new Place("width: ", "10~}", all -> clicks(all).scatter().epochs().get(0).width()),
            new Place("decimals: ", "3~,", all -> clicks(all).measures().get(1).decimals()),
            new Place("x: {from: ", "-5~}", all -> clicks(all).where().get("x").from()),
            new Place("z: {below: ", "5e40~}", all -> clicks(all).where().get("z").below()),
            new Place("from: {from: ", "1~}", all -> clicks(all).where().get("from").from()),
            new Place("where: {below: ", "7~}", all -> label(clicks(all).measures().get(1).where().get("below"))),
            new Place("when: {a: ", "404~,", all -> label(all.forms().get(0).when().get(0).condition())),
            new Place("b: {below: ", "5~}", all -> all.forms().get(0).when().get(1).condition().below()),
            new Place("from: [", "12~]", all -> label(all.forms().get(0).when().get(2).condition())),
            new Place("factor: ", "3~}", all -> all.forms().get(0).attributes().get("a").factor()),
            new Place("default: ", "8~,", all -> all.forms().get(0).attributes().get("a").otherwise().label()));

    private static Dataset clicks(Datasets all) {
        return all.named("clicks").orElseThrow();
    }

    private static String label(Condition condition) {
        return condition.oneOf().first();
    }

    private static Optional<Object> read(Place place, String number) {
        try {
            return Optional.of(place.read.apply(DatasetsYaml.parse("test", place.file(number))));
        } catch (InvalidDatasetsException refused) {
            return Optional.empty();
        }
    }

    @Test
    void theFileIsValid() {
        assertThat(DatasetsYaml.parse("test", FILE).all()).hasSize(1);
    }

    @Test
    void aNumberIsReadAsItIsWrittenOrRefused() {
        RandomGenerator random = Seeds.random("yaml-numbers");
        int read = 0;
        for (int i = 0; i < CASES; i++) {
            Place place = PLACES.get(random.nextInt(PLACES.size()));
            String number = number(random);
            Object found = read(place, number).orElse(null);
            if (found != null) {
                read++;
                if (found instanceof String label) {
                    assertThat(label).as(place.before).isEqualTo(number);
                } else {
                    assertThat(number).as(place.before).matches("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?");
                    assertThat(new BigDecimal(found.toString())).as(place.before + number)
                            .isEqualByComparingTo(new BigDecimal(number));
                }
            }
        }
        assertThat(read).isBetween(CASES / 20, CASES);
    }

    @ParameterizedTest
    @ValueSource(strings = { "0", "-1", "7", "12.50", "1e3", "1E-3", "9007199254740993", "0.1234567890123456789",
            "12345678901234567890123456789012345678" })
    void plainNumbersAreBounds(String number) {
        for (String written : List.of(number, "\"" + number + "\"")) {
            assertThat((BigDecimal) read(PLACES.get(4), written).orElseThrow()).as(written).isEqualByComparingTo(number);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "010", "08", "0b101", "0o17", "0x10", "1_000", "1:30", ".inf", "-.inf", ".nan", "+5", ".5", "5.",
            "-010", "190:20:30", "!!int \"010\"", "1e999" })
    void otherSpellingsAreRefusedEverywhere(String number) {
        for (Place place : PLACES) {
            assertThat(read(place, number)).as(place.before + number).isEmpty();
        }
    }

    private static String number(RandomGenerator random) {
        String digits = IntStream.range(0, 1 + random.nextInt(random.nextBoolean() ? 2 : 24))
                .mapToObj(i -> String.valueOf(random.nextInt(10))).collect(Collectors.joining());
        String sign = List.of("", "", "", "-", "+").get(random.nextInt(5));
        return sign + switch (random.nextInt(10)) {
            case 0 -> "0" + digits;
            case 1 -> "0x" + digits;
            case 2 -> "0b" + digits.replaceAll("[2-9]", "1");
            case 3 -> "0o" + digits.replaceAll("[89]", "7");
            case 4 -> digits + "." + digits;
            case 5 -> digits + List.of("e", "E", "e+", "e-").get(random.nextInt(4)) + random.nextInt(30);
            case 6 -> digits + "_" + digits;
            case 7 -> digits + ":" + random.nextInt(60);
            default -> digits;
        };
    }
}
