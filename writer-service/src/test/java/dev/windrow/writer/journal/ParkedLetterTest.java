package dev.windrow.writer.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.MessageBody;
import dev.windrow.writer.decode.Provenance;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.ClaimId;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.record.IndexKey;
import dev.windrow.writer.testing.TestMessages;

class ParkedLetterTest {

    private static final Datasets DATASETS = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks:
                  event-type: click
                  label: [referrer]
                  granularities: [minute]
                  index: [minute]
                  measures: {events: {type: count}, bytes: {type: sum, attribute: bytes}, at: {type: last, attribute: bytes}}
                  scatter: [{width: 4}]
            """);
    private static final BucketItem BUCKET = new BucketItem("default#clicks#a#0", "minute#2026-11-20T10:31:00Z",
            new IndexKey("default#clicks#minute#3", "2026-11-20T10:31:00Z#a#0"));

    @Test
    void areReadAsTheyWereWritten() {
        // Given
        List<Change> changes = List.of(
                new Change("events", MeasureKind.COUNT, MeasureValue.of(BigDecimal.TEN)),
                new Change("bytes", MeasureKind.SUM, MeasureValue.of(new BigDecimal("-0.5"))));
        Request.SendParked parked = new Request.SendParked(0, 1, 1, new ClaimId(ClaimId.Kind.PARKED, 1, 2), BUCKET, "minute",
                changes,
                Reason.REFUSED, "");

        // When
        ClaimUnit unit = ParkedLetter.read(letter(), ParkedLetter.write(parked, TestMessages.queue("q"), Instant.EPOCH).body(),
                DATASETS);

        // Then
        assertThat(unit.additions()).singleElement().satisfies(addition -> {
            assertThat(addition.item()).isEqualTo(BUCKET);
            assertThat(addition.granularity()).isEqualTo("minute");
            assertThat(addition.changes()).isEqualTo(changes);
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "default#clicks#a#0 | default#bills#a#0 | the bucket's index keys",
            "default#clicks#a#0 | ~lane#0 | the keys of a bucket",
            "2026-11-20T10:31:00Z | 2026-11-20T10:31:30Z | the keys of a bucket",
            "2026-11-20T10:31:00Z | +1000000000-12-31T23:59:00Z | the keys of a bucket",
            "2026-11-20T10:31:00Z | 1969-12-31T23:59:00Z | the keys of a bucket",
            "'granularity\":\"minute' | 'granularity\":\"hour' | the granularity of sk",
            "clicks#minute#3 | clicks#minute#4 | a scatter shard of dataset clicks in ipk",
            "clicks#minute#3 | clicks#minute#-1 | the bucket's index keys",
            "clicks#minute#3 | clicks#minute#03 | the bucket's index keys",
            "clicks#minute#3 | clicks#minute# | the bucket's index keys",
            "#a#0 | #a#b#0 | a label of dataset clicks in pk and sk",
            "count | sum | kind count for measure events",
            "'value\":\"10' | 'value\":\"1e999' | a number of at most 38 digits",
            "'value\":\"10' | 'value\":\"x' | a number of at most 38 digits",
            "'\"events\",\"kind\":\"count\"' | '\"at\",\"kind\":\"last\",\"time\":\"+1000000000-01-01T00:00:00Z\"' | a time from 1970",
            "'\"events\"' | '\"Events\"' | the name of a measure" })
    void onlyAdditionsThatAWriterMakesAreTaken(String part, String other, String expected) {
        assertThatThrownBy(() -> read(body().replace(part, other))).isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(expected);
    }

    /** Parsing a number takes the square of its length, and a tree of small objects thirty times its text. */
    @Test
    void aBodyIsBoundedBeforeItIsParsed() {
        assertThatThrownBy(() -> read(body().replace("10\"", "1".repeat(200_000) + "\"")))
                .isInstanceOf(InvalidInputException.class).hasMessageContaining("a number of at most 38 digits");
        assertThatThrownBy(() -> read("{\"additions\":[" + "{},".repeat(1_000_000) + "{}]}"))
                .isInstanceOf(InvalidInputException.class).hasMessageContaining("at most 262144 bytes");
        assertThatThrownBy(() -> read("{\"additions\":[" + "{},".repeat(100) + "{}]}"))
                .isInstanceOf(InvalidInputException.class).hasMessageContaining("at most 100");
    }

    private static String body() {
        return """
                {"pk":"default#clicks#a#0","sk":"minute#2026-11-20T10:31:00Z","ipk":"default#clicks#minute#3",\
                "isk":"2026-11-20T10:31:00Z#a#0","granularity":"minute",\
                "additions":[{"measure":"events","kind":"count","value":"10"}]}""";
    }

    private static ClaimUnit read(String body) {
        return ParkedLetter.read(letter(), MessageBody.of(body), DATASETS);
    }

    private static Message letter() {
        return TestMessages.message("", Map.of(Provenance.PARKED, "1", Provenance.SOURCE_MESSAGE_ID, "parked-2"),
                Instant.EPOCH);
    }
}
