package dev.windrow.writer.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.zip.GZIPOutputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.dataset.yaml.DatasetsYaml;
import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.reason.Reason;
import dev.windrow.reason.ReasonedException;
import dev.windrow.time.EventTimes;
import dev.windrow.writer.message.Body;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.Queue;
import dev.windrow.writer.testing.TestSeeds;

class EventDecoderTest {

    private static final Queue QUEUE = new Queue("test", "http://127.0.0.1/test", false, Duration.ofSeconds(30),
            Duration.ofDays(4), null);
    private static final Instant TIME = Instant.parse("2026-11-20T10:31:32Z");
    private static final String EVENT = """
            {"type":"click","time":"2026-11-20T10:31:32Z","attributes":{"referrer":"r","bytes":5120}}""";

    private final EventDecoder decoder = new EventDecoder(DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks:
                  event-type: click
                  label: [referrer]
                  granularities: [day]
                  measures:
                    bytes: {type: sum, attribute: bytes}
            """));

    @Test
    void readsWhatTheContractSaysAndKeepsOnlyUsedAttributes() {
        // When
        Event event = one("""
                {"id":"7","tenant":"t","attributes":{"url":{"deep":[1,{}]},"referrer":"a\\u00e4#","bytes":1.50,"x":null},
                 "time":"2026-11-20T11:31:32.125+01:00","type":"click","more":[{}],"count":-2}""");

        // Then
        assertThat(event).isEqualTo(new Event("click", TIME.plusMillis(125), "7", "t", Map.of("referrer",
                new Attribute.Text("aä#"), "bytes", new Attribute.Decimal(new BigDecimal("1.50"))), -2));
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "{\"type\":1} ", " ", "7", " [ ]", "[]x", "{\"a\":1}\n{\"a\":2}", "{", "[{\"a\"", "\"" })
    void neverThrows(String body) {
        Decoded decoded = decode(body);
        assertThat(decoded.events()).isEmpty();
        assertThat(decoded.rejections()).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void tellsLinesFromOneObjectOverSeveralLines() {
        assertThat(decode(EVENT + "\n" + EVENT + "\n").events()).hasSize(2);
        assertThat(decode("garbage\n" + EVENT).events()).hasSize(1);
        assertThat(decode(EVENT + "\r\n\r\ngarbage").events()).hasSize(1);
        Decoded pretty = decode(EVENT.replace(",", ",\n").replace("{", "{\n").replace("}", "\n}"));
        assertThat(pretty.kind()).isEqualTo(BodyKind.OBJECT);
        assertThat(pretty.events()).hasSize(1);
        Decoded broken = decode("{\n\"type\": \"click\",\n\"time\":\n}");
        assertThat(broken.rejections()).as("one rejection for one broken object").hasSize(1);
    }

    @Test
    void rejectsAnArrayWholeThatIsNotJson() {
        Decoded decoded = decode("[" + EVENT + "," + EVENT + ", {]");
        assertThat(decoded.events()).isEmpty();
        assertThat(decoded.rejections()).singleElement().satisfies(rejection -> {
            assertThat(rejection.index()).isEqualTo(Rejection.WHOLE);
            assertThat(rejection.reason()).isEqualTo(Reason.NOT_JSON);
        });
    }

    @Test
    void goesOnAfterEachBadEventAndFindsItsText() {
        String bad = "{\"type\":\"click\" , \"time\":1e99, \"x\":\"]}\"}";
        String body = " [" + EVENT + ",\n7 ,[1,[2]], \"te,xt\" ," + bad + "," + EVENT + "]";
        Decoded decoded = decode(body);
        assertThat(decoded.events()).extracting(DecodedEvent::index).containsExactly(0, 5);
        assertThat(decoded.rejections()).extracting(Rejection::index).containsExactly(1, 2, 3, 4);
        assertThat(decoded.rejections()).extracting(rejection -> EventText.of(body, decoded.kind(), rejection.index()))
                .containsExactly("7", "[1,[2]]", "\"te,xt\"", bad);
    }

    @Test
    void boundsHugeNumbersAndAbsurdNesting() {
        String huge = EVENT.replace("5120", "9".repeat(200_000));
        Decoded numbers = decode("[" + huge + "," + EVENT.replace("\"r\"", "1e-999999999") + ","
                + EVENT.replace("5120", "-1e31234567890123456782") + "," + EVENT + "]");
        assertThat(numbers.events()).hasSize(1);
        assertThat(numbers.rejections()).extracting(Rejection::reason).containsOnly(Reason.NUMBER_OUT_OF_RANGE);
        Decoded nested = decode("[".repeat(300_000));
        assertThat(nested.rejections()).extracting(Rejection::reason).containsExactly(Reason.NOT_JSON);
    }

    @ParameterizedTest
    @ValueSource(strings = { "{\"type\":\"a\",\"type\":\"b\"}", "{\"attributes\":{\"bytes\":1,\"bytes\":2}}" })
    void rejectsFieldsThatStandTwice(String body) {
        assertThat(decode(body).rejections()).extracting(Rejection::reason).containsExactly(Reason.DUPLICATE_FIELD);
    }

    @Test
    void rejectsANotificationOfHalfASurrogatePairWhichHasNoForm() {
        Decoded decoded = decode("""
                {"Type":"Notification","TopicArn":"arn:aws:sns:eu-central-1:123456789012:t",
                 "Message":"{\\"type\\":\\"click\\",\\"time\\":\\"2026-11-20T10:31:32Z\\",\\"id\\":\\"a\\ud800\\"}"}""");
        assertThat(decoded.events()).isEmpty();
        assertThat(decoded.rejections()).extracting(Rejection::reason).containsExactly(Reason.INVALID_TEXT);
    }

    @Test
    void readsCommonTimesAsTheGeneralReaderDoes() {
        RandomGenerator random = TestSeeds.random("readsCommonTimes");
        for (int i = 0; i < 20_000; i++) {
            String text = "%04d-%02d-%02dT%02d:%02d:%02d%sZ".formatted(1968 + random.nextInt(8035), random.nextInt(14),
                    random.nextInt(33), random.nextInt(26), random.nextInt(62), random.nextInt(62),
                    random.nextBoolean() ? "" : "." + random.nextInt(1, 1_000_000_000));
            Instant expected;
            try {
                expected = EventTimes.parse("time", text);
            } catch (ReasonedException e) {
                expected = null;
            }
            assertThat(TimeText.parse(text.getBytes(StandardCharsets.UTF_8), 0, text.length())).as(text).isEqualTo(expected);
        }
    }

    @Test
    void readsCloudEvents() {
        Decoded decoded = decode("""
                {"specversion":"1.0","id":"1","source":"/shop","type":"click","time":"2026-11-20T10:31:32Z",
                 "datacontenttype":"application/json","tenant":"t","data":{"referrer":"r","bytes":5120,"other":{}}}""");
        assertThat(decoded.envelope()).isEqualTo(Envelope.CLOUDEVENTS);
        Event event = decoded.events().get(0).event();
        assertThat(event.type()).isEqualTo("click");
        assertThat(event.id()).as("source and id together are unique").isEqualTo("/shop 1");
        assertThat(event.tenant()).isEqualTo("t");
        assertThat(event.attributes()).containsEntry("bytes", new Attribute.Decimal(new BigDecimal(5120)));
    }

    @ParameterizedTest
    @ValueSource(strings = { "0.5", "0", "1e30", "1000000001", "\"3\"", "true", "[]" })
    void rejectsAWrongCountInAnEnvelope(String count) {
        Decoded decoded = decode("""
                {"specversion":"1.0","id":"1","source":"/shop","type":"click","time":"2026-11-20T10:31:32Z",
                 "data":{"attributes":{"referrer":"r"},"count":%s}}""".formatted(count));
        assertThat(decoded.events()).isEmpty();
        assertThat(decoded.rejections()).singleElement().satisfies(rejection -> {
            assertThat(rejection.reason()).isEqualTo(Reason.WRONG_FIELD_TYPE);
            assertThat(rejection.field()).isEqualTo("count");
        });
    }

    @Test
    void readsACountInAnEnvelope() {
        Decoded decoded = decode("""
                {"specversion":"1.0","id":"1","source":"/shop","type":"click","time":"2026-11-20T10:31:32Z",
                 "data":{"attributes":{"referrer":"r"},"count":-3}}""");
        assertThat(decoded.events().get(0).event().count()).isEqualTo(-3);
    }

    @Test
    void readsEventBridgeWithAttributesOrWithAnEventInside() {
        String envelope = """
                {"version":"0","id":"e1","detail-type":"click","source":"shop","account":"1","time":"2026-11-20T10:31:32Z",
                 "region":"eu-west-1","resources":[],"detail":%s}""";
        Decoded attributes = decode(envelope.formatted("{\"referrer\":\"r\",\"bytes\":5120}"));
        Decoded event = decode(envelope.formatted(EVENT.replace("32Z", "33Z").replace("}}", "},\"id\":\"own\"}")));
        assertThat(attributes.envelope()).isEqualTo(Envelope.EVENTBRIDGE);
        assertThat(attributes.events().get(0).event().id()).isEqualTo("e1");
        assertThat(attributes.events().get(0).event().time()).isEqualTo(TIME);
        assertThat(event.events().get(0).event().id()).isEqualTo("own");
        assertThat(event.events().get(0).event().time()).isEqualTo(TIME.plusSeconds(1));
        assertThat(event.events().get(0).event().attributes())
                .isEqualTo(attributes.events().get(0).event().attributes());
    }

    @Test
    void readsNotificationsOfSnsWithAnyBodyAndTheirAttributes() {
        String published = ("[" + EVENT + ",{\"time\":\"2026-11-20T10:31:32Z\",\"attributes\":{\"referrer\":\"x\"}},7]")
                .replace("\"", "\\\"");
        Decoded decoded = decode("""
                {"Type":"Notification","MessageId":"1","TopicArn":"arn:aws:sns:eu-west-1:1:t","Message":"%s",
                 "Timestamp":"2026-11-20T10:31:33Z","MessageAttributes":{"type":{"Type":"String","Value":"click"},
                 "tenant":{"Type":"String","Value":"shop"}}}""".formatted(published));
        assertThat(decoded.envelope()).isEqualTo(Envelope.SNS);
        assertThat(decoded.kind()).isEqualTo(BodyKind.ARRAY);
        assertThat(decoded.events()).extracting(event -> event.event().tenant()).containsExactly("shop", "shop");
        assertThat(decoded.rejections()).extracting(Rejection::index).containsExactly(2);
        assertThat(EventText.of(decoded.text().toString(), decoded.kind(), 2)).isEqualTo("7");
    }

    @Test
    void unpacksGzip() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(EVENT.getBytes(StandardCharsets.UTF_8));
        }
        String body = Base64.getEncoder().encodeToString(packed.toByteArray());
        assertThat(decode(body, Map.of("content-encoding", "gzip")).events()).hasSize(1);
        assertThat(decode(body, Map.of("content-encoding", "br")).rejections()).extracting(Rejection::reason)
                .containsExactly(Reason.INVALID_ENVELOPE);
        assertThat(decode("no base64!", Map.of("content-encoding", "gzip")).rejections()).extracting(Rejection::reason)
                .containsExactly(Reason.INVALID_ENVELOPE);
    }

    @Test
    void boundsWhatUnpacks() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            for (int i = 0; i < 17; i++) {
                gzip.write(new byte[1_024 * 1_024]);
            }
        }
        String bomb = Base64.getEncoder().encodeToString(packed.toByteArray());
        assertThat(decode(bomb, Map.of("content-encoding", "gzip")).rejections()).extracting(Rejection::detail)
                .first().asString().contains("at most");
    }

    @Test
    void takesTypeAndTenantFromMessageAttributesWhereEventsHaveNone() {
        String body = "{\"time\":\"2026-11-20T10:31:32Z\",\"attributes\":{\"referrer\":\"r\"}}";
        Map<String, String> attributes = Map.of("type", "click", "tenant", "shop");
        assertThat(decode(body, attributes).events().get(0).event().type()).isEqualTo("click");
        assertThat(decode(body, attributes).events().get(0).event().tenant()).isEqualTo("shop");
        assertThat(decode(EVENT.replace("{\"type", "{\"tenant\":\"own\",\"type"), attributes).events().get(0).event()
                .tenant()).isEqualTo("own");
    }

    private Event one(String body) {
        Decoded decoded = decode(body);
        assertThat(decoded.rejections()).isEmpty();
        return decoded.events().get(0).event();
    }

    private Decoded decode(String body) {
        return decode(body, Map.of());
    }

    private Decoded decode(String body, Map<String, String> attributes) {
        return decoder.decode(new Message(QUEUE, "id", "receipt", Body.of(body), attributes, TIME, TIME, 1, null));
    }

    @Test
    void readsTheSameEventsFromRandomlyDamagedLinesAsFromTheSoundOnesAlone() {
        RandomGenerator random = TestSeeds.random("damagedLines");
        for (int round = 0; round < 300; round++) {
            StringBuilder body = new StringBuilder(EVENT).append('\n');
            int sound = 1;
            for (int i = 0; i < 8; i++) {
                String line = EVENT;
                if (random.nextBoolean()) {
                    line = line.substring(0, 1 + random.nextInt(line.length() - 1));
                } else {
                    sound++;
                }
                body.append(line).append('\n');
            }
            List<DecodedEvent> events = decode(body.toString()).events();
            assertThat(events).as(body.toString()).hasSize(sound);
        }
    }
}
