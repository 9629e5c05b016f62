package dev.windrow.writer.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.testing.Seeds;
import dev.windrow.time.EventTimes;
import dev.windrow.time.Rfc3339Parser;
import dev.windrow.writer.testing.Gzip;
import dev.windrow.writer.testing.ReadMessage;
import dev.windrow.writer.testing.TestMessages;

class EventDecoderTest {

    private static final int MAX_LINE = 2_100;
    private static final Map<String, String> GZIP = Map.of("content-encoding", "gzip");
    private static final byte[] EMPTY_MEMBER = HexFormat.of().parseHex("1f8b08000000000000ff03000000000000000000");
    private static final Instant TIME = Instant.parse("2026-11-20T10:31:32Z");
    private static final String EVENT = """
            {"type":"click","time":"2026-11-20T10:31:32Z","attributes":{"referrer":"r","bytes":5120}}""";

    private static final String CLOUD_EVENT = """
            {"specversion":"1.0","id":"1","source":"/shop","type":"click","time":"2026-11-20T10:31:32Z","data":%s}""";

    private static final String YAML = """
            windrow:
              datasets:
                clicks:
                  event-type: click
                  label: [referrer]
                  granularities: [day]
                  measures:
                    bytes: {type: sum, attribute: bytes}
            """;
    private static final Datasets DATASETS = DatasetsYaml.parse("test", YAML);

    private static final EventSink NOTHING = new EventSink() {

        @Override
        public @Nullable RejectedEvent take(int index, Event event) {
            return null;
        }

        @Override
        public void restart() {
        }
    };

    private final EventDecoder decoder = ReadMessage.decoder(DATASETS);

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
        ReadMessage decoded = decode(body);
        assertThat(decoded.events()).isEmpty();
        assertThat(decoded.rejections()).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void tellsLinesFromOneObjectOverSeveralLines() {
        assertThat(decode(EVENT + "\n" + EVENT + "\n").events()).hasSize(2);
        assertThat(decode("garbage\n" + EVENT).events()).hasSize(1);
        assertThat(decode(EVENT + "\r\n\r\ngarbage").events()).hasSize(1);
        ReadMessage pretty = decode(EVENT.replace(",", ",\n").replace("{", "{\n").replace("}", "\n}"));
        assertThat(pretty.kind()).isEqualTo(BodyKind.OBJECT);
        assertThat(pretty.events()).hasSize(1);
        ReadMessage broken = decode("{\n\"type\": \"click\",\n\"time\":\n}");
        assertThat(broken.rejections()).as("one rejection for one broken object").hasSize(1);
    }

    @Test
    void boundsHugeNumbersAndAbsurdNesting() {
        String huge = EVENT.replace("5120", "9".repeat(200_000));
        ReadMessage numbers = decode("[" + huge + "," + EVENT.replace("\"r\"", "1e-999999999") + ","
                + EVENT.replace("5120", "-1e31234567890123456782") + "," + EVENT + "]");
        assertThat(numbers.events()).hasSize(1);
        assertThat(numbers.rejections()).extracting(RejectedEvent::reason).containsOnly(Reason.NUMBER_OUT_OF_RANGE);
        ReadMessage nested = decode("[".repeat(300_000));
        assertThat(nested.rejections()).extracting(RejectedEvent::reason).containsExactly(Reason.NOT_JSON);
    }

    @ParameterizedTest
    @ValueSource(strings = { "{\"type\":\"a\",\"type\":\"b\"}", "{\"attributes\":{\"bytes\":1,\"bytes\":2}}",
            "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/shop\",\"type\":\"click\",\"data\":{\"attributes\":{},\"attributes\":{}}}" })
    void rejectsFieldsThatStandTwice(String body) {
        assertThat(decode(body).rejections()).extracting(RejectedEvent::reason).containsExactly(Reason.DUPLICATE_FIELD);
    }

    @Test
    void rejectsANotificationOfHalfASurrogatePairWhichHasNoForm() {
        ReadMessage decoded = decode("""
                {"Type":"Notification","TopicArn":"arn:aws:sns:eu-central-1:123456789012:t",
                 "Message":"{\\"type\\":\\"click\\",\\"time\\":\\"2026-11-20T10:31:32Z\\",\\"id\\":\\"a\\ud800\\"}"}""");
        only(decoded, Reason.INVALID_TEXT);
    }

    @Test
    void readsCommonTimesAsTheGeneralReaderDoes() {
        RandomGenerator random = Seeds.random("readsCommonTimes");
        Rfc3339Parser times = new Rfc3339Parser();
        for (int i = 0; i < 20_000; i++) {
            String text = "%04d-%02d-%02dT%02d:%02d:%02d%sZ".formatted(1968 + random.nextInt(8035), random.nextInt(14),
                    random.nextInt(33), random.nextInt(26), random.nextInt(62), random.nextInt(62),
                    random.nextBoolean() ? "" : "." + random.nextInt(1, 1_000_000_000));
            Instant expected;
            try {
                // A leap second is no common spelling.
                expected = text.contains(":60") ? null : EventTimes.parse("time", text);
            } catch (InvalidInputException e) {
                expected = null;
            }
            assertThat(times.parse(text)).as(text)
                    .isEqualTo(expected);
        }
    }

    @Test
    void readsCloudEvents() {
        ReadMessage decoded = decode("""
                {"specversion":"1.0","id":"1","source":"/shop","type":"click","time":"2026-11-20T10:31:32Z",
                 "datacontenttype":"application/json","tenant":"t","data":{"referrer":"r","bytes":5120,"other":{}}}""");
        assertThat(decoded.envelope()).isEqualTo(Envelope.CLOUDEVENTS);
        Event event = decoded.events().get(0);
        assertThat(event.type()).isEqualTo("click");
        assertThat(event.id()).as("source and id together are unique").isEqualTo("/shop 1");
        assertThat(event.tenant()).isEqualTo("t");
        assertThat(event.attributes()).containsEntry("bytes", new Attribute.Decimal(new BigDecimal(5120)));
    }

    @ParameterizedTest
    @ValueSource(strings = { "0.5", "0", "1e30", "1000000001", "\"3\"", "true", "[]" })
    void rejectsAWrongCountInAnEnvelope(String count) {
        ReadMessage decoded = decode(CLOUD_EVENT.formatted("{\"attributes\":{\"referrer\":\"r\"},\"count\":" + count + "}"));
        assertThat(only(decoded, Reason.WRONG_FIELD_TYPE).field()).isEqualTo("count");
    }

    @ParameterizedTest
    @CsvSource({ "'\"id\":17,\"count\":2.0', 17, 2", "'\"id\":1.50,\"count\":1e1', 1.5, 10",
            "'\"id\":\"17\",\"count\":-3', 17, -3" })
    void takesANumberAsIdAndAnyWholeNumberAsCount(String fields, String id, long count) {
        ReadMessage plain = decode(
                "{\"type\":\"click\",\"time\":\"2026-11-20T10:31:32Z\",\"attributes\":{\"referrer\":\"r\"}," + fields + "}");
        ReadMessage wrapped = decode(CLOUD_EVENT.formatted("{\"attributes\":{\"referrer\":\"r\"}," + fields + "}"));

        for (ReadMessage decoded : List.of(plain, wrapped)) {
            assertThat(decoded.rejections()).isEmpty();
            assertThat(decoded.events()).singleElement().satisfies(event -> {
                assertThat(event.id()).isEqualTo(id);
                assertThat(event.count()).isEqualTo(count);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "\"tenant\":5", "\"tenant\":true", "\"id\":false", "\"id\":[]" })
    void rejectsAFieldOfTheWrongTypeInAnEnvelopeInsteadOfTakingTheEnvelopes(String field) {
        ReadMessage decoded = decode("""
                {"specversion":"1.0","id":"1","source":"/shop","type":"click","time":"2026-11-20T10:31:32Z","tenant":"shop",
                 "data":{"attributes":{"referrer":"r"},%s}}""".formatted(field));
        assertThat(field).contains(only(decoded, Reason.WRONG_FIELD_TYPE).field());
    }

    @ParameterizedTest
    @ValueSource(strings = { "\"attributes\":\n{", "\"id\":\"}{\\\"{\",\"attributes\":\n{", "\"attributes\":{\n" })
    void readsOneEventWhoseLinesBeginOrEndWithABrace(String attributes) {
        ReadMessage decoded = decode(EVENT.replace("\"attributes\":{", attributes));

        assertThat(decoded.kind()).isEqualTo(BodyKind.OBJECT);
        assertThat(decoded.events()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = { "0", "-0", "0.00", "0e-999999999", "0e999999999" })
    void readsEveryZeroAsTheSame(String zero) {
        ReadMessage decoded = decode(EVENT.replaceFirst("\"bytes\":[^,}]*", "\"bytes\":" + zero));
        assertThat(decoded.events()).singleElement().satisfies(event -> assertThat(event.attributes())
                .containsEntry("bytes", new Attribute.Decimal(BigDecimal.ZERO)));
    }

    @Test
    void readsEventBridgeWithAttributesOrWithAnEventInside() {
        String envelope = """
                {"version":"0","id":"e1","detail-type":"click","source":"shop","account":"1","time":"2026-11-20T10:31:32Z",
                 "region":"eu-west-1","resources":[],"detail":%s}""";
        ReadMessage attributes = decode(envelope.formatted("{\"referrer\":\"r\",\"bytes\":5120}"));
        ReadMessage event = decode(envelope.formatted(EVENT.replace("32Z", "33Z").replace("}}", "},\"id\":\"own\"}")));
        assertThat(attributes.envelope()).isEqualTo(Envelope.EVENTBRIDGE);
        assertThat(attributes.events().get(0).id()).isEqualTo("e1");
        assertThat(attributes.events().get(0).time()).isEqualTo(TIME);
        assertThat(event.events().get(0).id()).isEqualTo("own");
        assertThat(event.events().get(0).time()).isEqualTo(TIME.plusSeconds(1));
        assertThat(event.events().get(0).attributes())
                .isEqualTo(attributes.events().get(0).attributes());
    }

    @Test
    void aDocumentOfAnotherTypeInAnEnvelopeCountsAsTheEnvelopeSays() {
        String document = "{\"type\":\"articles\",\"id\":\"7\",\"attributes\":{\"referrer\":\"r\"}}";
        Event bridge = one("""
                {"id":"e1","detail-type":"click","source":"shop","time":"2026-11-20T10:31:32Z","detail":%s}"""
                .formatted(document));
        Event cloud = one(CLOUD_EVENT.formatted(document));

        assertThat(bridge).isEqualTo(new Event("click", TIME, "e1", "default", Map.of("referrer", new Attribute.Text("r"))));
        assertThat(cloud.type()).isEqualTo("click");
        assertThat(cloud.id()).isEqualTo("/shop 1");
    }

    @Test
    void aCloudEventWithoutATimeIsOfTheTimeItWasSent() {
        String event = """
                {"specversion":"1.0","id":"e1","source":"/shop","type":"click","data":{"referrer":"r"}}""";
        String letter = Long.toString(TIME.minusSeconds(90).toEpochMilli());

        assertThat(one(event).time()).isEqualTo(TIME);
        assertThat(decode(event, Map.of("source-sent", letter)).events().get(0).time()).isEqualTo(TIME.minusSeconds(90));
        assertThat(only(decode(event, Map.of("source-sent", "999999999999999")), Reason.INVALID_TIME).field())
                .isEqualTo("source-sent");
    }

    @ParameterizedTest
    @CsvSource({ "ce-", "ce_", "Ce-" })
    void readsCloudEventsInBinaryMode(String prefix) {
        Map<String, String> attributes = Map.of(prefix + "specversion", "1.0", prefix + "type", "click", prefix + "source",
                "/shop", prefix + "id", "e1", prefix + "time", "2026-11-20T10:31:33Z", "tenant", "acme");
        ReadMessage decoded = decode("{\"referrer\":\"r\",\"time\":5,\"type\":false}", attributes);
        ReadMessage event = decode("{\"attributes\":{\"referrer\":\"r\"},\"count\":-1}", attributes);

        assertThat(decoded.rejections()).isEmpty();
        assertThat(decoded.envelope()).isEqualTo(Envelope.CLOUDEVENTS);
        assertThat(decoded.events()).containsExactly(
                new Event("click", TIME.plusSeconds(1), "/shop e1", "acme", Map.of("referrer", new Attribute.Text("r"))));
        assertThat(event.events().get(0).count()).isEqualTo(-1);
        assertThat(decode("[" + EVENT + "]", attributes).events()).as("an array is none").hasSize(1);
        assertThat(decode("7", attributes).reasons()).containsExactly(Reason.NOT_AN_OBJECT);
    }

    @Test
    void readsCloudEventsWithDataInBase64() {
        String event = CLOUD_EVENT.replace("\"data\":%s", "\"data_base64\":\"%s\"");
        Event read = one(event.formatted(base64("{\"referrer\":\"caf\u00e9\"}".getBytes(StandardCharsets.UTF_8))));

        assertThat(read.attributes()).containsEntry("referrer", new Attribute.Text("caf\u00e9"));
        for (String bad : List.of("*", base64("{\"a\":".getBytes(StandardCharsets.UTF_8)),
                base64("7".getBytes(StandardCharsets.UTF_8)),
                base64(new byte[] { '{', (byte) 0xFF, '}' }), "")) {
            assertThat(decode(event.formatted(bad)).reasons()).as(bad).containsAnyOf(Reason.INVALID_ENVELOPE,
                    Reason.INVALID_TEXT);
        }
    }

    @Test
    void fieldsOfEnvelopesMatterOnlyInEnvelopes() {
        String several = ",\"data\":{\"a\":1},\"data\":{\"referrer\":\"x\"},\"source\":\"a\",\"source\":\"b\"";
        String plain = EVENT.strip().replaceFirst("}$", several + ",\"data_base64\":\"*\"}");
        String cloud = CLOUD_EVENT.formatted("{\"referrer\":\"x\"}").strip();

        assertThat(one(plain).attributes()).isEqualTo(one(EVENT).attributes());
        assertThat(one(cloud.replaceFirst("}$", ",\"detail\":\"an extension\"}")).attributes()).containsKey("referrer");
        assertThat(only(decode(cloud.replaceFirst("}$", several + "}")), Reason.DUPLICATE_FIELD).field()).isEqualTo("data");
    }

    @Test
    void readsNotificationsOfSnsAmongOthers() {
        String notification = """
                {"Type":"Notification","MessageId":"1","TopicArn":"arn:aws:sns:eu-west-1:1:t","Message":"%s"}""";
        String good = notification.formatted(EVENT.replace("\"", "\\\"")).strip();
        String bad = notification.formatted("{\\\"type\\\":\\\"click\\\"}").strip();
        String several = notification.formatted(("[" + EVENT + "]").replace("\"", "\\\"")).strip();
        for (String body : List.of("[" + String.join(",", good, bad, EVENT, several, good) + "]",
                String.join("\n", good, bad, EVENT, several, good))) {
            ReadMessage decoded = decode(body);

            assertThat(decoded.events()).hasSize(3);
            assertThat(decoded.indexes()).containsExactly(0, 2, 4);
            assertThat(decoded.rejections()).extracting(RejectedEvent::index).containsExactly(1, 3);
            assertThat(decoded.reasons()).containsExactly(Reason.MISSING_FIELD, Reason.INVALID_ENVELOPE);
            assertThat(decoded.rejections()).extracting(RejectedEvent::text).containsExactly(bad, several);
            assertThat(decode(bad).reasons()).as("a letter alone").containsExactly(Reason.MISSING_FIELD);
            assertThat(decode(several).events()).as("a letter alone").hasSize(1);
        }
    }

    @Test
    void readsNotificationsOfSnsWithAnyBodyAndTheirAttributes() {
        String published = ("[" + EVENT + ",{\"time\":\"2026-11-20T10:31:32Z\",\"attributes\":{\"referrer\":\"x\"}},7]")
                .replace("\"", "\\\"");
        ReadMessage decoded = decode("""
                {"Type":"Notification","MessageId":"1","TopicArn":"arn:aws:sns:eu-west-1:1:t","Message":"%s",
                 "Timestamp":"2026-11-20T10:31:33Z","MessageAttributes":{"type":{"Type":"String","Value":"click"},
                 "tenant":{"Type":"String","Value":"shop"}}}""".formatted(published));
        assertThat(decoded.envelope()).isEqualTo(Envelope.SNS);
        assertThat(decoded.kind()).isEqualTo(BodyKind.ARRAY);
        assertThat(decoded.events()).extracting(Event::tenant).containsExactly("shop", "shop");
        assertThat(decoded.rejections()).extracting(RejectedEvent::index).containsExactly(2);
        assertThat(decoded.rejections().get(0).text()).isEqualTo("7");
    }

    /** Else all labels of another encoding that differ in what is no ASCII would be one. */
    @ParameterizedTest
    @CsvSource({ "Content-Encoding, GZIP", "CONTENT-ENCODING, gzip+base64", "content-encoding, Gzip" })
    void theNameOfTheEncodingAndItsValueIgnoreCase(String name, String value) {
        String body = Gzip.base64(EVENT);
        String notification = """
                {"Type":"Notification","MessageId":"1","TopicArn":"arn:aws:sns:eu-west-1:1:t","Message":"%s",
                 "MessageAttributes":{"%s":{"Type":"String","Value":"%s"}}}""".formatted(body, name, value);

        for (ReadMessage decoded : List.of(decode(body, Map.of(name, value, "x", "y")), decode(notification))) {
            assertThat(decoded.rejections()).isEmpty();
            assertThat(decoded.events()).hasSize(1);
        }
        assertThat(message(body, Map.of(name, value, "x", "y")).attributes()).containsOnlyKeys("content-encoding", "x");
    }

    @Test
    void gzipOfTextThatIsNoUtf8IsRejected() {
        String event = EVENT.replace("\"r\"", "\"caf\u00e9\"");
        String notification = """
                {"Type":"Notification","MessageId":"1","TopicArn":"arn:aws:sns:eu-west-1:1:t","Message":"%s",
                 "MessageAttributes":{"content-encoding":{"Type":"String","Value":"gzip"}}}""";
        String latin = Gzip.base64(event.getBytes(StandardCharsets.ISO_8859_1));
        String cut = Gzip.base64(Arrays.copyOf(event.getBytes(StandardCharsets.UTF_8), event.indexOf('\u00e9') + 1));

        assertThat(decode(Gzip.base64(event), GZIP).events()).hasSize(1);
        for (ReadMessage decoded : List.of(decode(latin, GZIP), decode(cut, GZIP), decode(notification.formatted(latin)))) {
            assertThat(only(decoded, Reason.INVALID_TEXT).explanation()).isEqualTo("body: not valid UTF-8 after decompression");
        }
    }

    @Test
    void boundsWhatUnpacks() {
        String bomb = Gzip.base64("\0".repeat(17 * 1_024 * 1_024));

        assertThat(decode(bomb, GZIP).rejections()).extracting(RejectedEvent::detail).first().asString().contains("more than");
    }

    @Test
    void unpacksGzipOfSeveralMembers() {
        byte[] packed = joined(member(EVENT + "\n"), member(EVENT.replace("\"r\"", "\"s\"")), EMPTY_MEMBER);

        ReadMessage decoded = decode(base64(packed), GZIP);

        assertThat(decoded.rejections()).isEmpty();
        assertThat(decoded.events()).hasSize(2);
    }

    @Test
    void rejectsGzipThatGoesOnAfterItsLastMember() {
        ReadMessage decoded = decode(base64(joined(member(EVENT), new byte[100])), GZIP);

        assertThat(only(decoded, Reason.INVALID_ENVELOPE).detail()).contains("data after a valid .gz stream");
    }

    @Test
    void unpacksGzipOfManyEmptyMembers() {
        // Given so many that a reader which calls itself for each of them overflows the stack
        byte[] packed = joined(Collections.nCopies(70_000, EMPTY_MEMBER).toArray(byte[][]::new));

        // When
        ReadMessage decoded = decode(base64(packed), GZIP);

        // Then
        assertThat(only(decoded, Reason.NOT_JSON).detail()).contains("found nothing");
    }

    /** A time in the header may be wrong; what was packed may not. */
    @Test
    void rejectsDamagedGzip() {
        RandomGenerator random = Seeds.random("damaged gzip");
        byte[] good = member(EVENT);
        List<Event> whole = decode(base64(good), GZIP).events();
        assertThat(whole).hasSize(1);
        for (int i = 0; i < 2_000; i++) {
            // Given
            byte[] damaged = random.nextBoolean() ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
            if (damaged.length == good.length) {
                damaged[random.nextInt(good.length)] ^= (byte) (1 << random.nextInt(8));
            }

            // When
            ReadMessage decoded = decode(base64(damaged), GZIP);

            // Then
            assertThat(decoded.events()).as("case %d", i).satisfiesAnyOf(events -> assertThat(events).isEmpty(),
                    events -> assertThat(events).isEqualTo(whole));
        }
    }

    /** The rejection of a message in which nothing else is. */
    private static RejectedEvent only(ReadMessage decoded, Reason reason) {
        assertThat(decoded.events()).isEmpty();
        assertThat(decoded.reasons()).containsExactly(reason);
        return decoded.rejections().get(0);
    }

    private static byte[] member(String text) {
        return Base64.getDecoder().decode(Gzip.base64(text));
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static String base64(byte[] packed) {
        return Base64.getEncoder().encodeToString(packed);
    }

    /** What a producer wrote must not look like a line of the log: rejections are logged. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "{\"type\":\"click\",\"time\":\"2026\\nERROR forged%s\",\"attributes\":{\"referrer\":\"r\"}} | none",
            "{\"type\":\"click\",\"tenant\":\"a\\u2028ERROR forged%s\",\"time\":\"2026-11-20T10:31:32Z\"} | none",
            "~nonsense\u0085ERROR forged%s~ | none", "~\n\u001b[31mERROR%s~ | none", "{} | ~gzip\nERROR forged %s~" })
    void aRejectionIsOneLineOfBoundedLength(String body, String encoding) {
        for (String padding : List.of("", "x".repeat(5_000))) {
            ReadMessage decoded = decode(body.replace("%s", padding), encoding.equals("none") ? Map.of()
                    : Map.of("content-encoding", encoding.replace("%s", padding)));

            assertThat(decoded.rejections()).isNotEmpty().allSatisfy(rejection -> {
                assertThat(rejection.explanation()).hasSizeLessThan(MAX_LINE).doesNotContain("\u2028");
                assertThat(rejection.explanation().chars().anyMatch(Character::isISOControl)).as(rejection.explanation())
                        .isFalse();
            });
        }
    }

    @Test
    void takesTypeAndTenantFromMessageAttributesWhereEventsHaveNone() {
        String body = "{\"time\":\"2026-11-20T10:31:32Z\",\"attributes\":{\"referrer\":\"r\"}}";
        Map<String, String> attributes = Map.of("type", "click", "tenant", "shop");
        assertThat(decode(body, attributes).events().get(0).type()).isEqualTo("click");
        assertThat(decode(body, attributes).events().get(0).tenant()).isEqualTo("shop");
        assertThat(decode(EVENT.replace("{\"type", "{\"tenant\":\"own\",\"type"), attributes).events().get(0)
                .tenant()).isEqualTo("own");
    }

    /** Each line is dropped before the next one is unpacked, and nothing is unpacked before there is memory for it. */
    @Test
    void wrappedTextsTakeMemoryOneAfterAnother() {
        String padding = " ".repeat(1_000_000);
        String line = """
                {"Type":"Notification","TopicArn":"t","Message":"%s","MessageAttributes":{"content-encoding":{"Value":"gzip"}}}
                """.formatted(Gzip.base64(EVENT + padding));
        TakenBytes taken = new TakenBytes(Long.MAX_VALUE);

        DecodeResult all = decoder.decode(message(Gzip.base64(line.repeat(20)), GZIP), NOTHING, taken);

        assertThat(all.events()).isEqualTo(20);
        assertThat(taken.most).isBetween(1_000_000L, 5_000_000L);
        assertThat(taken.now).as("given back").isLessThan(500_000);
        assertThatThrownBy(() -> decoder.decode(message(line, Map.of()), NOTHING, new TakenBytes(900_000)))
                .isInstanceOf(MemoryBudgetExceededException.class);
    }

    @Test
    void givesUpWhatTakesTooLong() {
        // Given a clock of which a second passes at each look
        long[] now = new long[1];
        EventDecoder slow = new EventDecoder(DATASETS, Duration.ofSeconds(2), () -> now[0] += Duration.ofSeconds(1).toNanos());
        String events = "[" + EVENT + ("," + EVENT).repeat(2_000) + "]";

        // When
        ReadMessage read = ReadMessage.of(slow, message(events, Map.of()));

        // Then
        assertThat(read.events()).isEmpty();
        assertThat(read.reasons()).containsExactly(Reason.TIMED_OUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"click\",\"time\":TIME,\"data\":DATA}",
            "{\"detail-type\":\"click\",\"id\":\"1\",\"source\":\"s\",\"time\":TIME,\"detail\":DATA}" })
    void ignoresWhatNobodyUsesInAnEnvelope(String envelope) {
        String unused = "\"x\":1e999,\"y\":" + "9".repeat(2_000) + ",\"x\":2,\"time\":1e999,\"count\":0";
        String body = envelope.replace("TIME", "\"" + TIME + "\"");
        assertThat(one(body.replace("DATA", "{\"referrer\":\"r\"," + unused + "}")).time()).isEqualTo(TIME);
        assertThat(one(body.replace("DATA", "{\"attributes\":{\"referrer\":\"r\"},\"bytes\":1e999,\"referrer\":1e999}"))
                .attributes()).containsOnlyKeys("referrer");
        assertThat(decode(body.replace("DATA", "{\"referrer\":\"r\",\"bytes\":1e999}")).reasons())
                .containsExactly(Reason.NUMBER_OUT_OF_RANGE);
        assertThat(decode(body.replace("DATA", "{\"attributes\":{\"referrer\":\"r\"},\"count\":0}")).reasons())
                .containsExactly(Reason.WRONG_FIELD_TYPE);
        assertThat(decode(body.replace("DATA", "{\"referrer\":\"r\",\"referrer\":\"s\"}")).reasons())
                .containsExactly(Reason.DUPLICATE_FIELD);
    }

    private Event one(String body) {
        ReadMessage decoded = decode(body);
        assertThat(decoded.rejections()).isEmpty();
        return decoded.events().get(0);
    }

    private ReadMessage decode(String body) {
        return decode(body, Map.of());
    }

    private ReadMessage decode(String body, Map<String, String> attributes) {
        return ReadMessage.of(decoder, message(body, attributes));
    }

    private static Message message(String body, Map<String, String> attributes) {
        return TestMessages.message(body, attributes, TIME);
    }

    @Test
    void namesWhatProducersOftenSendInsteadOfJson() {
        EventDecoder decoder = ReadMessage.decoder(DatasetsYaml.parse("test", """
                windrow:
                  datasets:
                    clicks: {event-type: click, label: [], granularities: [day], measures: {events: {type: count}}}
                """));
        for (String[] sent : new String[][] {
                { "H4sIAAAAAAAA/6tWSlSyUoqOBQC1qVqNCQAAAA==",
                        "not valid JSON, but like gzip in Base64: send it with the message "
                                + "attribute content-encoding: gzip" },
                { "{\"type\":\"click\",\"attributes\":{\"bytes\":NaN}}",
                        "not valid JSON: NaN is no number in JSON: leave the field "
                                + "out, or write null" },
                { "[{\"type\":\"click\"}\u2028,{}]", "not valid JSON: found a character outside text in quotes" },
                { "{\"type\":\"click\"", "not valid JSON: Unexpected end-of-input: expected close marker for Object" } }) {
            ReadMessage read = ReadMessage.of(decoder, TestMessages.message(sent[0], Map.of(), Instant.EPOCH));

            assertThat(read.rejections()).as(sent[0]).singleElement()
                    .satisfies(rejection -> assertThat(rejection.detail()).startsWith(sent[1]).doesNotContain("`"));
        }
    }

    private static final class TakenBytes implements MemoryBudget {

        private final long limit;
        private long now;
        private long most;

        TakenBytes(long limit) {
            this.limit = limit;
        }

        @Override
        public void take(long bytes) {
            if (now + bytes > limit) {
                throw new MemoryBudgetExceededException();
            }
            now += bytes;
            most = Math.max(most, now);
        }

        @Override
        public void giveBack(long bytes) {
            now -= bytes;
        }
    }
}
