package dev.windrow.writer.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.testing.Seeds;

class RecordCodecTest {

    private static final Addition MINUTE = new Addition(
            new BucketItem("default#clicks#https://example.org/#0", "minute#2026-11-20T10:31:00Z",
                    new IndexKey("default#clicks#minute#7", "2026-11-20T10:31:00Z#https://example.org/#0")),
            "minute",
            List.of(new Change("events", MeasureKind.COUNT, MeasureValue.of(BigDecimal.valueOf(3))),
                    new Change("bytes", MeasureKind.SUM, MeasureValue.of(new BigDecimal("-15360.25"))),
                    new Change("latest", MeasureKind.LAST,
                            MeasureValue.at(BigDecimal.TEN, Instant.parse("2026-11-20T10:31:32.5Z")))));
    private static final Addition DAY = new Addition(
            new BucketItem("default#clicks#https://example.org/#0", "day#2026-11-20T00:00:00Z", null), "day",
            List.of(new Change("events", MeasureKind.COUNT, MeasureValue.of(BigDecimal.valueOf(3)))));
    private static final JournalRecord DEFERRED = new JournalRecord(1_795_170_692_500L, List.of(MINUTE, DAY),
            List.of(new JournalRecord.Span(3, 17, 1_795_170_600_250L), new JournalRecord.Span(18, 18, 1_795_170_600_500L)));
    private static final JournalRecord RECORD = new JournalRecord(1_795_170_692_500L, List.of(MINUTE, DAY));

    /** Every release must read what this one writes: these bytes never change. */
    private static final String BODY = "a8b69788bf680200066d696e75746500036461790300066576656e74730000056279746573010006"
            + "6c61746573740502002564656661756c7423636c69636b732368747470733a2f2f6578616d706c65"
            + "2e6f72672f2330001b6d696e75746523323032362d31312d32305431303a33313a30305a01001764"
            + "656661756c7423636c69636b73236d696e7574652337002b323032362d31312d32305431303a3331"
            + "3a30305a2368747470733a2f2f6578616d706c652e6f72672f2330000300000103010403e88fe702"
            + "010101888681b00d80cab5ee012500001864617923323032362d31312d32305430303a30303a3030"
            + "5a00010100000103";
    private static final String BYTES = "01000000f878015bb16d7ac7fe0c2606b6dcccbcd2925406e694c44a6606b6d4b2d4bc92620606d6"
            + "a4ca92d4624606b69c44205dc2cac4a09a929a96589a53a29c9c93999c5dac9c515252506ca5af9f"
            + "5a91985b9093aa975f94aeaf6cc0200d314fd9c8c0c84cd7d050d7c820c4d0c0cad8d0cac0208a91"
            + "411ccd10a86273066d6cea71d9c1ccc0c0c8ccc8c2fca2ff3913232363475be306de86535bdf31aa"
            + "32304800fd816cb98101d06690e50c8c8c206d006db745aa";

    @Test
    void bodiesAreWrittenAsEver() {
        assertThat(HexFormat.of().formatHex(RecordCodec.write(RECORD))).isEqualTo(BODY);
    }

    @Test
    void recordsOfEveryReleaseAreRead() {
        assertThat(RecordCodec.decode(HexFormat.of().parseHex(BYTES))).usingRecursiveComparison()
                .withComparatorForType(BigDecimal::compareTo, BigDecimal.class).isEqualTo(RECORD);
    }

    /** The same body, followed by the span of each addition. */
    @Test
    void bodiesOfDeferredAdditionsAreWrittenAsEver() {
        assertThat(HexFormat.of().formatHex(RecordCodec.write(DEFERRED))).isEqualTo(BODY + "0311f4948c88bf681212e8988c88bf68");
    }

    @Test
    void deferredAdditionsComeBackWithTheirRecords() {
        byte[] bytes = RecordCodec.encode(DEFERRED);

        assertThat(bytes[0]).isEqualTo((byte) 2);
        assertThat(RecordCodec.decode(bytes)).usingRecursiveComparison()
                .withComparatorForType(BigDecimal::compareTo, BigDecimal.class).isEqualTo(DEFERRED);
    }

    @ParameterizedTest
    @CsvSource({ "0, 3", "4, 3" })
    void recordsOfDeferredAdditionsThatCannotBeAreDamaged(long first, long last) {
        byte[] bytes = RecordCodec.encode(new JournalRecord(0, List.of(DAY), List.of(new JournalRecord.Span(first, last, 0))));

        assertThatThrownBy(() -> RecordCodec.decode(bytes)).isInstanceOf(UnreadableRecordException.class);
    }

    @Test
    void anyRecordComesBack() {
        RandomGenerator random = Seeds.random("anyRecordComesBack");
        for (int i = 0; i < 100; i++) {
            JournalRecord record = record(random);

            JournalRecord read = RecordCodec.decode(RecordCodec.encode(record));

            assertThat(read).usingRecursiveComparison().withComparatorForType(BigDecimal::compareTo, BigDecimal.class)
                    .withStrictTypeChecking().isEqualTo(record);
        }
    }

    @Test
    void damageIsNoticed() {
        RandomGenerator random = Seeds.random("damageIsNoticed");
        byte[] whole = RecordCodec.encode(RECORD);
        for (int i = 0; i < 3_000; i++) {
            byte[] damaged = random.nextBoolean() ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
            if (damaged.length == whole.length) {
                damaged[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                // Some bits between the compressed data and its checksum mean nothing.
                assertThat(text(RecordCodec.decode(damaged))).isEqualTo(text(RECORD));
            } catch (UnreadableRecordException expected) {
                assertThat(expected).isNotNull();
            }
        }
    }

    @Test
    void bodiesThatAreDamagedBeforeTheyAreCompressedNeverFailInAnyOtherWay() {
        RandomGenerator random = Seeds.random("bodiesThatAreDamaged");
        byte[] whole = RecordCodec.write(RECORD);
        for (int i = 0; i < 3_000; i++) {
            byte[] damaged = whole.clone();
            for (int j = random.nextInt(1, 4); j > 0; j--) {
                damaged[random.nextInt(whole.length)] = (byte) random.nextInt();
            }
            try {
                RecordCodec.read(damaged, i % 2 == 0);
            } catch (UnreadableRecordException expected) {
                assertThat(expected).isNotNull();
            }
        }
    }

    /** A body that is longer than stated, a length beyond the limit, and a newer format. */
    @ParameterizedTest
    @CsvSource({ "4, -1, another length", "1, 127, a body of",
            "0, 2, 'expected a journal record of format 2 at most, found 3'" })
    void bytesThatNoRecordHasAreDamage(int index, int more, String message) {
        byte[] bytes = RecordCodec.encode(RECORD);
        bytes[index] += (byte) more;

        assertThatThrownBy(() -> RecordCodec.decode(bytes)).isInstanceOf(UnreadableRecordException.class)
                .hasMessageContaining(message);
    }

    @Test
    void keysThatRepeatCostLittle() {
        List<Addition> additions = new ArrayList<>();
        for (int label = 0; label < 200; label++) {
            additions.add(new Addition(
                    new BucketItem("default#clicks#https://example.org/" + label + "#0", "minute#2026-11-20T10:31:00Z",
                            new IndexKey("default#clicks#minute#" + label % 10,
                                    "2026-11-20T10:31:00Z#https://example.org/" + label + "#0")),
                    "minute", List.of(new Change("events", MeasureKind.COUNT, MeasureValue.of(BigDecimal.valueOf(10 + label))),
                            new Change("bytes", MeasureKind.SUM, MeasureValue.of(BigDecimal.valueOf(label * 7_919L))))));
        }

        byte[] bytes = RecordCodec.encode(new JournalRecord(0, additions));

        assertThat(bytes.length).isLessThan(200 * 30);
    }

    private static String text(JournalRecord record) {
        return record.claimedMillis() + " " + record.additions().stream().map(addition -> addition.item() + "|"
                + addition.item().index() + "|" + addition.granularity() + "|" + addition.changes().stream()
                        .map(change -> change.measure() + change.kind() + change.value().value().stripTrailingZeros() + "@"
                                + change.value().time())
                        .toList())
                .toList();
    }

    private static JournalRecord record(RandomGenerator random) {
        List<Addition> additions = new ArrayList<>();
        for (int i = random.nextInt(20); i > 0; i--) {
            IndexKey index = random.nextBoolean() ? null : new IndexKey(text(random), text(random));
            List<Change> changes = new ArrayList<>();
            for (int j = random.nextInt(1, 5); j > 0; j--) {
                MeasureKind kind = MeasureKind.values()[random.nextInt(MeasureKind.values().length)];
                BigDecimal number = new BigDecimal(new BigInteger(random.nextInt(126), new java.util.Random(random.nextLong())),
                        random.nextInt(-80, 90));
                Instant time = Instant.ofEpochSecond(random.nextLong(253_402_300_800L), random.nextInt(1_000_000_000));
                changes.add(new Change("m" + j, kind, kind.valueOf(number, time)));
            }
            additions.add(new Addition(new BucketItem(text(random), text(random), index), "g" + random.nextInt(4), changes));
        }
        return new JournalRecord(random.nextLong(), additions);
    }

    private static String text(RandomGenerator random) {
        StringBuilder text = new StringBuilder("key#");
        for (int i = random.nextInt(30); i > 0; i--) {
            text.appendCodePoint(random.nextInt(4) == 0 ? 0x1F600 + random.nextInt(50) : 'a' + random.nextInt(3));
        }
        return text.toString();
    }
}
