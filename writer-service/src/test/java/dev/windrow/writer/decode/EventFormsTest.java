package dev.windrow.writer.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.writer.testing.ReadMessage;
import dev.windrow.writer.testing.TestMessages;
import dev.windrow.writer.testing.TestUnits;

class EventFormsTest {

    private static final Path PAGE = Path.of("../docs/writer.md");
    private static final Pattern SOURCE = Pattern
            .compile("\\*\\*([A-Za-z0-9]+)[^\n]*\n\n```yaml\n(.*?)```\n\n```json\n(.*?)```", Pattern.DOTALL);
    private static final Instant SENT = Instant.parse("2026-11-24T10:31:32.123Z");

    private static final String DATASETS = """
            windrow:
              datasets:
                things:
                  event-type: thing
                  label: [name, region]
                  granularities: [hour]
                  measures: {size: {type: sum, attribute: size}}
            """;

    private static ReadMessage read(String forms, String body) {
        return read(forms, body, Map.of());
    }

    private static ReadMessage read(String forms, String body, Map<String, String> attributes) {
        return ReadMessage.of(decoder(forms), message(body, attributes));
    }

    private static EventDecoder decoder(String forms) {
        return ReadMessage.decoder(DatasetsYaml.parse("test", DATASETS + "  events:\n" + forms.indent(4)));
    }

    private static Message message(String body, Map<String, String> attributes) {
        return TestMessages.message(body, attributes, SENT);
    }

    private static Event thing(String time, String id, String tenant, Object... attributes) {
        Map<String, Attribute> values = new HashMap<>();
        for (int i = 0; i < attributes.length; i += 2) {
            values.put((String) attributes[i], attributes[i + 1] instanceof String text ? new Attribute.Text(text)
                    : attributes[i + 1] instanceof Boolean flag ? new Attribute.Flag(flag)
                            : new Attribute.Decimal(new BigDecimal(attributes[i + 1].toString())));
        }
        return new Event("thing", Instant.parse(time), id, tenant, values);
    }

    @Test
    void takesWhatItsPathsLeadTo() {
        String forms = """
                - type: thing
                  when: {kind: it}
                  time: meta.at
                  id: [meta.id, meta.part]
                  tenant: owner.name
                  attributes:
                    name: http.method
                    size: {path: body.size, default: 3}
                    region: {path: zone.name, default: true}
                """;
        ReadMessage read = read(forms, """
                {"kind":"it","meta":{"at":"2026-11-24T10:00:00+0100","id":7.0,"part":"b","more":{"x":[1]}},
                 "owner":{"name":"acme"},"http":{"method":"wrong"},"http.method":"GET","body":{"size":null},"zone":"text"}""");

        assertThat(read.rejections()).isEmpty();
        assertThat(read.envelope()).isEqualTo(Envelope.FORM);
        assertThat(read.events()).containsExactly(
                thing("2026-11-24T09:00:00Z", "7 b", "acme", "name", "GET", "size", 3, "region", true));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = { "{status: 200} | {\"status\":200} | true",
            "{status: 200} | {\"status\":\"200\"} | true",
            "{status: \"200\"} | {\"status\":200.0} | true", "{status: 200} | {\"status\":201} | false",
            "{status: [200, 201]} | {\"status\":201} | true", "{bot: true} | {\"bot\":true} | true",
            "{bot: true} | {\"bot\":\"true\"} | true", "{bot: true} | {\"bot\":1} | false",
            "{a: {exists: true}} | {\"a\":[]} | true", "{a: {exists: true}} | {\"a\":null} | false",
            "{a: {exists: true}} | {} | false", "{a: {exists: false}} | {\"a\":null} | true",
            "{a: {exists: false}} | {\"a\":0} | false", "{a: x} | {\"a\":[\"x\"]} | false",
            "{a.b: x} | {\"a\":{\"b\":\"x\"}} | true",
            "{a.b: x} | {\"a.b\":\"x\",\"a\":{\"b\":\"y\"}} | true", "{a.b.c: x} | {\"a\":{\"b.c\":\"x\"}} | true",
            "{a.b.c: x} | {\"a.b\":{\"c\":\"x\"}} | true", "{a: x, b: z} | {\"a\":\"x\"} | false",
            "{a: \"\"} | {\"a\":\"\"} | true", "{a: x} | {\"a\":\"x\",\"a\":\"x\"} | false", "{a: 1} | {\"a\":1e999} | false",
            "{a.b: x} | {\"a\":\"x\"} | false", "{a: x} | {\"a\":\"X\"} | false", "{a: x} | [] | false" })
    void readsAnObjectIfAllConditionsHold(String when, String body, boolean holds) {
        ReadMessage read = read("- {type: thing, when: " + when + ", time: sent}", body);

        assertThat(read.events()).hasSize(holds ? 1 : 0);
        if (holds) {
            assertThat(read.events().get(0).time()).isEqualTo(SENT);
        } else if (!body.equals("[]")) {
            assertThat(read.reasons()).as("read as a plain event").containsExactly(Reason.MISSING_FIELD);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = { "{\"k\":1} | MISSING_FIELD | at.t: expected the event's time",
            "{\"k\":1,\"at\":{\"t\":\"soon\"}} | INVALID_TIME | at.t: expected an RFC 3339 time with a zone, such as "
                    + "2026-11-20T10:31:32Z, found 'soon'",
            "{\"k\":1,\"at\":{\"t\":true}} | WRONG_FIELD_TYPE | at.t: expected text such as 2026-11-20T10:31:32Z, or a number "
                    + "since 1970, found a boolean",
            "{\"k\":1,\"at\":{\"t\":1795170692},\"i\":[1]} | WRONG_FIELD_TYPE | i: expected text, a number or a boolean, found "
                    + "an object or array",
            "{\"k\":1,\"at\":{\"t\":1795170692},\"s\":{\"size\":1,\"size\":2}} | DUPLICATE_FIELD | s.size: the field appears twice",
            "{\"k\":1,\"at\":{\"t\":1795170692},\"s\":{\"size\":1e999}} | NUMBER_OUT_OF_RANGE | s.size: expected a number of at "
                    + "most 38 digits between 1E-130 and 9.99E+125",
            "{\"k\":1,\"at\":{\"t\":1795170692},\"o\":\"a b/~\"} | INVALID_TENANT | o: expected " })
    void namesThePathOfWhatIsWrong(String body, Reason reason, String explanation) {
        String form = "- {type: thing, when: {k: 1}, time: at.t, id: i, tenant: o, attributes: {size: s.size}}";
        ReadMessage read = read(form, body);

        assertThat(read.events()).isEmpty();
        assertThat(read.rejections()).singleElement().satisfies(rejection -> {
            assertThat(rejection.reason()).isEqualTo(reason);
            assertThat(rejection.explanation()).startsWith(explanation);
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "format: \"dd/MM/yyyy HH:mm:ss\", zone: Europe/Berlin | \"31/12/2026 23:59:59\" | 2026-12-31T22:59:59Z",
            "format: \"dd/MM/yyyy HH:mm:ss\", zone: Europe/Berlin | \"29/03/2026 02:30:00\" | 2026-03-29T01:30:00Z",
            "format: \"dd/MM/yyyy HH:mm:ss\", zone: Europe/Berlin | \"25/10/2026 02:30:00\" | 2026-10-25T00:30:00Z",
            "format: \"dd/MM/yyyy HH:mm:ss\", zone: Europe/Berlin | \"31/02/2026 10:00:00\" | INVALID_TIME",
            "format: \"dd/MM/yyyy HH:mm:ss\", zone: Europe/Berlin | \"2026-11-24T10:00:00Z\" | INVALID_TIME",
            "format: \"dd/MM/yyyy HH:mm:ss\", zone: Europe/Berlin | 1795170692 | INVALID_TIME",
            "format: \"dd/MM/yyyy HH:mm:ss\", zone: Europe/Berlin | \"31/12/1969 10:00:00\" | INVALID_TIME",
            "format: dd/MMM/yyyy:HH:mm:ss xx | \"20/Nov/2026:10:00:00 +0100\" | 2026-11-20T09:00:00Z",
            "format: yyyyMMddHHmmss | 20261120100000 | 2026-11-20T10:00:00Z",
            "format: uuuu-MM-dd HH:mm | \"2026-11-20 10:00\" | 2026-11-20T10:00:00Z",
            "format: MM/dd/yyyy hh:mm a | \"11/20/2026 01:05 PM\" | 2026-11-20T13:05:00Z",
            "format: \"EEE, d MMM yyyy HH:mm:ss VV\" | \"Fri, 20 Nov 2026 10:00:00 America/New_York\" | 2026-11-20T15:00:00Z",
            "zone: America/New_York | \"2026-11-20T10:00:00\" | 2026-11-20T15:00:00Z",
            "zone: America/New_York | \"2026-11-20 10:00:00.5\" | 2026-11-20T15:00:00.500Z",
            "zone: America/New_York | \"2026-11-20 10:00:00Z\" | 2026-11-20T10:00:00Z",
            "zone: +05:30 | \"2026-11-20T10:00:00\" | 2026-11-20T04:30:00Z",
            "zone: America/New_York | 1795170692123 | 2026-11-20T10:31:32.123Z" })
    void readsTimesAsTheyAreWrittenOrSaysSo(String how, String time, String instant) {
        ReadMessage read = read("- {type: thing, when: {k: 1}, time: {path: t, " + how + "}}", "{\"k\":1,\"t\":" + time + "}");

        assertThat(Stream.concat(read.events().stream().map(event -> event.time().toString()),
                read.reasons().stream().map(Reason::name))).containsExactly(instant);
    }

    /** Bodies as producers post them. Those with a form become dead letters without it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"type":"click","time":1795170692123,"attributes":{"name":"r","url":"/","size":1}} | | 2026-11-20T10:31:32.123Z r 1 |
            {"type":"click","time":"2026-11-20T10:00:00","attributes":{"name":"r","size":1}} | type: click, when: {type: click}, time: {path: time, zone: Europe/Berlin}, attributes: {name: attributes.name, size: attributes.size} | 2026-11-20T09:00:00Z r 1 | INVALID_TIME
            {"type":"click","time":"2026-11-20 10:00:00Z","attributes":{"name":"r","size":1}} | | 2026-11-20T10:00:00Z r 1 |
            {"type":"click","time":"20/Nov/2026:10:00:00 +0000","attributes":{"name":"r","size":1}} | type: click, when: {type: click}, time: {path: time, format: "dd/MMM/yyyy:HH:mm:ss xx"}, attributes: {name: attributes.name, size: attributes.size} | 2026-11-20T10:00:00Z r 1 | INVALID_TIME
            {"type":"click","time":1795170692,"attributes":{"name":"r","size":"12"}} | | 2026-11-20T10:31:32Z r 12 |
            {"type":"click","time":1795170692,"attributes":{"size":1}} | type: click, when: {type: click}, time: time, attributes: {name: {path: attributes.name, default: none}, size: attributes.size} | 2026-11-20T10:31:32Z none 1 | MISSING_LABEL
            {"type":"click","time":1795170692,"name":"r","url":"/","size":1} | type: click, when: {type: click}, time: time, attributes: {name: name, size: size} | 2026-11-20T10:31:32Z r 1 | MISSING_LABEL
            {"event":"click","timestamp":1795170692,"properties":{"name":"r"}} | type: click, when: {event: click}, time: timestamp, attributes: {name: properties.name} | 2026-11-20T10:31:32Z r 0 | MISSING_FIELD
            {"type":"click","attributes":{"name":"r"}} | type: click, when: {type: click}, time: sent, attributes: {name: attributes.name} | 2026-11-24T10:31:32.123Z r 0 | MISSING_FIELD
            {"type":"click","time":1795170692,"attributes":{"name":{"title":"x"},"user":"u"}} | type: click, when: {type: click}, time: time, attributes: {name: attributes.name.title} | 2026-11-20T10:31:32Z x 0 | WRONG_ATTRIBUTE_TYPE
            {"version":"0","id":"17793124-05d4-b198-2fde-7ededc63b103","detail-type":"Object Created","source":"aws.s3","account":"111122223333","time":"2021-11-12T00:00:00Z","region":"ca-central-1","resources":["arn:aws:s3:::bucket"],"detail":{"version":"0","bucket":{"name":"bucket"},"object":{"key":"k","size":5,"etag":"b1946ac92492d2347c6235b4d2611184"},"request-id":"N4N7GDK58NMKJ12R","requester":"123456789012","reason":"PutObject"}} | type: click, when: {detail-type: Object Created, source: aws.s3}, time: time, id: id, attributes: {name: detail.bucket.name, size: detail.object.size} | 2021-11-12T00:00:00Z bucket 5 | UNKNOWN_EVENT_TYPE
            {"Records":[{"eventSource":"aws:s3","eventName":"ObjectCreated:Put","eventTime":"2026-11-20T10:00:00.000Z","s3":{"bucket":{"name":"b"},"object":{"key":"k","size":7}}}]} | type: click, each: Records, when: {eventSource: "aws:s3"}, time: eventTime, attributes: {name: s3.bucket.name, size: s3.object.size} | 2026-11-20T10:00:00Z b 7 | MISSING_FIELD
            {"type":"track","event":"Order Completed","timestamp":1795170692,"messageId":"m1","properties":{"revenue":39.95}} | type: click, when: {type: track, event: Order Completed}, time: timestamp, id: messageId, attributes: {name: event, size: properties.revenue} | 2026-11-20T10:31:32Z Order Completed 39.95 | MISSING_FIELD
            {"type":"click","time":1795170692,"attributes":{"name":"","size":1}} | | 2026-11-20T10:31:32Z  1 |
            [{"type":"click","time":1795170692.5,"attributes":{"name":"r","size":1}}] | | 2026-11-20T10:31:32.500Z r 1 |
            """)
    void readsTheShapesThatProducersPost(String body, String form, String counted, Reason without) {
        String datasets = """
                windrow:
                  datasets:
                    clicks: {event-type: click, label: [name], granularities: [second], measures: {size: {type: sum, attribute: size}}}
                """;
        List<String> found = new ArrayList<>();
        Datasets own = DatasetsYaml.parse("test", datasets);
        Datasets formed = form == null ? own : DatasetsYaml.parse("test", datasets + "  events: [{" + form + "}]\n");

        ReadMessage read = ReadMessage.of(ReadMessage.decoder(formed), message(body, Map.of()));

        read.events().forEach(event -> found.add(event.time() + " " + event.attributes().get("name").label() + " "
                + (event.attributes().containsKey("size") ? event.attributes().get("size").label() : "0")));
        assertThat(read.rejections()).isEmpty();
        assertThat(found).containsExactly(counted);
        assertThat(rejections(formed, body)).isEmpty();
        assertThat(rejections(own, body)).isEqualTo(without == null ? List.of() : List.of(without));
    }

    /** Of the whole way of a message through decoding and aggregation. */
    private static List<Reason> rejections(Datasets datasets, String body) {
        return TestUnits.read(datasets, Long.MAX_VALUE, message(body, Map.of())).decoded().rejections().stream()
                .map(RejectedEvent::reason).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"Records":[{"eventSource":"aws:s3","eventName":"ObjectRemoved:Delete","eventTime":"2026-11-24T10:00:00Z"}]} \
              | type: expected the event's type; none of 3 forms fits; the nearest is `upload`: eventName is 'ObjectRemoved:Delete', expected 'ObjectCreated:Post' or 'ObjectCreated:Put'
            {"Records":[{"eventName":"ObjectCreated:Put"}]} \
              | type: expected the event's type; none of 3 forms fits; the nearest is `upload`: eventSource is missing, expected 'aws:s3'
            {"kind":"order","status":[1],"type":"thing"} \
              | time: expected the event's time, such as 2026-11-20T10:31:32Z; none of 3 forms fits; the nearest is `order`: status is an object or array, expected a number from 1 below 3
            {"type":"other","time":"2026-11-24T10:00:00Z"} \
              | type: unknown event type 'other'; declared: thing; none of 3 forms fits; the nearest is `order`: kind is missing, expected a value that begins with 'ord'
            {"type":"thing","time":"2026-11-24T10:00:00Z","count":0,"count":0} | count: expected a whole number from -1000000000 to 1000000000, not 0
            7 | event: expected a JSON object
            """)
    void anErrorOfAnObjectThatNoFormReadsNamesTheNearestForm(String body, String explanation) {
        String forms = """
                - {type: upload, each: Records, when: {eventSource: "aws:s3", eventName: ["ObjectCreated:Put", "ObjectCreated:Post"]}, time: eventTime}
                - {type: order, when: {kind: {prefix: ord}, status: {from: 1, below: 3}}, time: sent}
                - {type: order, when: {kind: {exists: false}, a: 1, b: 2}, time: sent}
                """;
        Datasets datasets = DatasetsYaml.parse("test",
                DATASETS + "  ignore-types: [upload, order]\n  events:\n" + forms.indent(4));

        assertThat(TestUnits.read(datasets, Long.MAX_VALUE, message(body, Map.of())).decoded().rejections()).singleElement()
                .satisfies(rejection -> assertThat(
                        rejection.explanation().replace("expected a type that some dataset counts; ", ""))
                        .startsWith(explanation.replace('´', '`')));
    }

    @Test
    void aMessageWithoutTheArrayOfAllFormsSaysSo() {
        String form = "- {type: thing, each: Records, when: {kind: it}, time: sent}";

        assertThat(read(form, "{\"records\":[{\"kind\":\"it\"}]}").rejections()).singleElement()
                .satisfies(rejection -> assertThat(rejection.explanation()).isEqualTo("type: expected the event's type; "
                        + "the form `thing` does not fit: the message has no array Records"));
        assertThat(read(form, "{\"Records\":[{\"kind\":\"that\"}]}").rejections()).singleElement()
                .satisfies(rejection -> assertThat(rejection.explanation()).isEqualTo("type: expected the event's type; "
                        + "the form `thing` does not fit: kind is 'that', expected 'it'"));
    }

    @Test
    void theElementsOfAFieldAreTheEventsOfAMessage() {
        String forms = """
                - {type: thing, each: Records, when: {kind: it}, time: sent, attributes: {name: nm, size: s}}
                - {type: thing, each: Records, when: {kind: that}, time: sent, attributes: {name: m}}
                - {type: thing, when: {kind: it}, time: sent, attributes: {name: whole}}
                """;
        ReadMessage read = read(forms, """
                {"kind":"it","x":[1,2],"Records":[{"kind":"it","nm":"a"},{"kind":"that","m":"b"},{"kind":"it","s":1e999},
                 {"type":"thing","time":"2026-11-24T10:00:00Z","attributes":{"name":"own"}},{"kind":"none"},7 , "text"],
                 "whole":"w"}""");

        assertThat(read.indexes()).containsExactly(0, 1, 3);
        assertThat(read.events()).extracting(event -> event.attributes().get("name")).containsExactly(new Attribute.Text("a"),
                new Attribute.Text("b"), new Attribute.Text("own"));
        assertThat(read.rejections()).extracting(RejectedEvent::index).containsExactly(2, 4, 5, 6);
        assertThat(read.reasons()).containsExactly(Reason.NUMBER_OUT_OF_RANGE, Reason.MISSING_FIELD, Reason.NOT_AN_OBJECT,
                Reason.NOT_AN_OBJECT);
        assertThat(read.rejections()).extracting(RejectedEvent::text).containsExactly(
                "{\"Records\":[{\"kind\":\"it\",\"s\":1e999}]}", "{\"Records\":[{\"kind\":\"none\"}]}", "{\"Records\":[7]}",
                "{\"Records\":[\"text\"]}");
        assertThat(read(forms, "{\"Records\":{\"kind\":\"it\"},\"kind\":\"it\",\"whole\":\"w\"}").events()).singleElement()
                .satisfies(event -> assertThat(event.attributes()).containsEntry("name", new Attribute.Text("w")));
        assertThat(read(forms, "{\"Records\":[]}").decoded().events()).isZero();
        assertThat(read(forms, "{\"Records\":[]}").rejections()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            attributes: {name: a.b}                    | {"k":1,"a":[{"b":"x"}]}     | WRONG_FIELD_TYPE a.b: the path leads through an array: write [0]
            attributes: {name: {path: a.b, default: x}} | {"k":1,"a":[]}             | WRONG_FIELD_TYPE a.b: the path leads through an array
            attributes: {name: {path: a.b, default: x}} | {"k":1,"a":"text"}         | {name=x}
            attributes: {name: "a[0].b"}               | {"k":1,"a":[{"b":"x"}]}     | {name=x}
            attributes: {name: "a[0].b", size: "a[0].c"} | {"k":1,"a":[{"b":"x","c":2}]} | {name=x, size=2}
            attributes: {name: "a[0]"}                 | {"k":1,"a":["x"]}           | {name=x}
            attributes: {name: "a.c[0].b"}             | {"k":1,"a.c":[{"b":"x"}]}   | {name=x}
            attributes: {name: {path: "a[0].b", default: d}} | {"k":1,"a":[]}        | {name=d}
            attributes: {name: {path: "a[0].b", default: d}} | {"k":1,"a":[null]}    | {name=d}
            attributes: {name: "a[0].b"}               | {"k":1,"a":[{"b":"x"},{"b":"y"}]} | WRONG_FIELD_TYPE a[0].b: expected an array of at most one value, found more
            attributes: {name: "a[0].b"}               | {"k":1,"a":{"b":"x"}}       | WRONG_FIELD_TYPE a[0].b: expected an array before [0], found another value
            attributes: {name: {path: q, absent: ["-", ""]}} | {"k":1,"q":"-"}       | {}
            attributes: {name: {path: q, absent: ["-", ""], default: none}} | {"k":1,"q":""} | {name=none}
            attributes: {size: {path: q, absent: [0]}} | {"k":1,"q":0.0}             | {}
            attributes: {size: {path: q, absent: non-numeric}} | {"k":1,"q":"0.001, 0.002"} | {}
            attributes: {size: {path: q, absent: non-numeric}} | {"k":1,"q":"0.001"} | {size=0.001}
            attributes: {size: {path: q, absent: non-numeric}} | {"k":1,"q":[1]}     | {size=null}
            attributes: {size: {path: q, factor: 0.01}} | {"k":1,"q":1999}           | {size=19.99}
            attributes: {size: {path: q, factor: 1024}} | {"k":1,"q":"1.5"}          | {size=1536}
            attributes: {size: {path: q, factor: 1024, absent: ["-"], default: 7}} | {"k":1,"q":"-"} | {size=7}
            attributes: {size: {path: q, factor: 1024}} | {"k":1,"q":"much"}         | WRONG_FIELD_TYPE q: expected a number, or text that is one, found text
            attributes: {size: {path: q, factor: 0.1}} | {"k":1,"q":12345678901234567890123456789012345678} | {size=1234567890123456789012345678901234567.8}
            attributes: {size: {path: q, factor: 1.1}} | {"k":1,"q":12345678901234567890123456789012345678} | NUMBER_OUT_OF_RANGE q: expected a number of at most 38
            attributes: {size: {path: q, factor: 1e99}} | {"k":1,"q":1e99}           | NUMBER_OUT_OF_RANGE q: expected a number of at most 38
            attributes: {size: {path: q, factor: 2}}   | {"k":1,"q":"0e-999999999"}  | {size=0}
            attributes: {size: {path: q, factor: 2}}   | {"k":1,"q":"1e-999999999"}  | NUMBER_OUT_OF_RANGE q: expected a number of at most 38
            """)
    void readsWhatAnAttributeDeclares(String attributes, String body, String expected) {
        ReadMessage read = read("- {type: thing, when: {k: 1}, time: sent, " + attributes + "}", body);

        Map<String, String> labels = new TreeMap<>();
        read.events().forEach(event -> event.attributes().forEach((name, value) -> labels.put(name, value.label())));
        String found = read.rejections().isEmpty() ? labels.toString()
                : read.reasons().get(0) + " " + read.rejections().get(0).explanation();
        assertThat(found).startsWith(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {path: t, zone: {path: z}}                           | {"k":1,"t":"2026-11-20T10:00:00","z":"Asia/Tokyo"} | 2026-11-20T01:00:00Z
            {path: t, zone: {path: z}}                           | {"k":1,"t":"2026-11-20","z":"+02:00"}          | 2026-11-19T22:00:00Z
            {path: t, zone: {path: z, default: Europe/Berlin}}   | {"k":1,"t":"2026-11-20 10:00:00"}              | 2026-11-20T09:00:00Z
            {path: t, zone: {path: z}, format: "dd.MM.yyyy HH:mm"} | {"k":1,"t":"20.11.2026 10:00","z":"America/New_York"} | 2026-11-20T15:00:00Z
            {path: t, zone: {path: z}}                           | {"k":1,"t":"2026-11-20T10:00:00Z"}             | 2026-11-20T10:00:00Z
            {path: t, zone: {path: z}}                           | {"k":1,"t":"2026-11-20T10:00:00"}              | MISSING_FIELD z: expected the zone of the event's time
            {path: t, zone: {path: z}}                           | {"k":1,"t":"2026-11-20T10:00:00","z":"Mars"}   | INVALID_TIME z: expected a region such as Europe/Berlin or an offset such as +01:00, found 'Mars'
            {path: t, zone: {path: z}}                           | {"k":1,"t":"2026-11-20T10:00:00","z":[1]}      | INVALID_TIME z: expected a region
            {path: t, shift: -1h}                                | {"k":1,"t":"2026-11-20T10:00:00Z"}             | 2026-11-20T09:00:00Z
            {path: t, shift: 15m, zone: Europe/Berlin}           | {"k":1,"t":"2026-11-20 10:00:00"}              | 2026-11-20T09:15:00Z
            {path: t, shift: -PT1S}                              | {"k":1,"t":1795170692}                         | 2026-11-20T10:31:31Z
            {path: t, shift: -1h}                                | {"k":1,"t":"1970-01-01T00:30:00Z"}             | INVALID_TIME t: expected a time from 1970
            """)
    void readsTimesInAZoneOfTheObjectAndShiftsThem(String time, String body, String expected) {
        ReadMessage read = read("- {type: thing, when: {k: 1}, time: " + time + "}", body);

        assertThat(read.rejections().isEmpty() ? read.events().get(0).time().toString()
                : read.reasons().get(0) + " " + read.rejections().get(0).explanation()).startsWith(expected);
    }

    private static final String NESTED = """
            - type: thing
              each: [logs, scopes, records]
              when: {sev: {exists: true}, ../../res.kind: it}
              time: at
              id: [../../../batch, ../name, q]
              attributes: {name: ../name, region: ../../res.region, size: "../../../sizes[0]"}
            """;

    @Test
    void readsWhatIsBesideTheArraysThatLeadToAnEvent() {
        ReadMessage read = read(NESTED, """
                {"logs":[
                  {"scopes":[{"records":[{"sev":1,"at":1795170692,"q":1},{"sev":2,"at":1795170693,"q":2}],"name":"s1"},
                             {"name":"s2","records":[]},{"name":"s3"},{"name":"s4","records":null}],
                   "res":{"kind":"it","region":"eu"}},
                  {"res":{"kind":"it"},"scopes":[{"records":[{"sev":3,"at":1795170694,"q":3}]}]}],
                 "batch":"b","sizes":[5]}""");

        assertThat(read.rejections()).isEmpty();
        assertThat(read.indexes()).containsExactly(0, 1, 2);
        assertThat(read.events()).containsExactly(
                thing("2026-11-20T10:31:32Z", "b s1 1", "default", "name", "s1", "region", "eu", "size", 5),
                thing("2026-11-20T10:31:33Z", "b s1 2", "default", "name", "s1", "region", "eu", "size", 5),
                thing("2026-11-20T10:31:34Z", null, "default", "size", 5));
    }

    @Test
    void aLetterOfANestedEventHasWhatItsFormReads() {
        ReadMessage read = read(NESTED, """
                {"other":"x","batch" : "b","sizes":[5, 6],"logs":[{"scopes":[{"name":"s","z":1,"records":[
                  {"sev":1,"at":"soon","q":1},7]},8,{"records":"none"},{"records":[],"records":[]}],"res":{"kind":"it"}}]}""");

        assertThat(read.events()).isEmpty();
        assertThat(read.rejections()).extracting(RejectedEvent::text).containsExactly(
                "{\"batch\" : \"b\",\"sizes\":[5, 6],\"logs\":[{\"res\":{\"kind\":\"it\"},\"scopes\":[{\"name\":\"s\",\"records\":["
                        + "{\"sev\":1,\"at\":\"soon\",\"q\":1}]}]}]}",
                "{\"batch\" : \"b\",\"sizes\":[5, 6],\"logs\":[{\"res\":{\"kind\":\"it\"},\"scopes\":[{\"name\":\"s\",\"records\":[7]}]}]}",
                "{\"batch\" : \"b\",\"sizes\":[5, 6],\"logs\":[{\"res\":{\"kind\":\"it\"},\"scopes\":[8]}]}",
                "{\"batch\" : \"b\",\"sizes\":[5, 6],\"logs\":[{\"res\":{\"kind\":\"it\"},\"scopes\":[{\"records\":\"none\"}]}]}",
                "{\"batch\" : \"b\",\"sizes\":[5, 6],\"logs\":[{\"res\":{\"kind\":\"it\"},\"scopes\":[{\"records\":[],\"records\":[]}]}]}");
        assertThat(read.reasons()).containsExactly(Reason.INVALID_TIME, Reason.NOT_AN_OBJECT, Reason.NOT_AN_OBJECT,
                Reason.WRONG_FIELD_TYPE, Reason.DUPLICATE_FIELD);
        assertThat(read.rejections()).extracting(RejectedEvent::index).containsExactly(0, 1, 2, 3, 4);

        Map<String, String> provenance = Map.of("source-message-id", "m", "source-event", "3");
        for (RejectedEvent rejection : read.rejections()) {
            ReadMessage letter = read(NESTED, rejection.text(), provenance);
            assertThat(letter.rejections()).singleElement().satisfies(again -> {
                assertThat(again.explanation()).isEqualTo(rejection.explanation());
                assertThat(again.index()).isEqualTo(RejectedEvent.WHOLE);
            });
        }
        assertThat(
                read(NESTED, read.rejections().get(0).text().replace("\"soon\"", "1795170692").replace(", 6", ""), provenance)
                        .indexes())
                .containsExactly(RejectedEvent.WHOLE);
    }

    @Test
    void aLetterOfOneElementIsThatElementAgain() {
        String forms = "- {type: thing, each: Records, when: {kind: it}, time: at, attributes: {name: nm}}";
        String letter = "{\"Records\":[{\"kind\":\"it\",\"nm\":\"a\"}]}";
        Map<String, String> provenance = Map.of("source-message-id", "m", "source-event", "17");

        assertThat(read(forms, letter).rejections()).extracting(RejectedEvent::index).containsExactly(0);
        assertThat(read(forms, letter, provenance).rejections()).as("not the first of it").extracting(RejectedEvent::index)
                .containsExactly(RejectedEvent.WHOLE);
        assertThat(read(forms.replace("time: at", "time: sent"), letter, provenance).indexes())
                .containsExactly(RejectedEvent.WHOLE);
    }

    @Test
    void aLetterWhoseElementIsANotificationIsReadAsItWasInItsMessage() {
        String forms = "- {type: thing, each: Records, when: {kind: it}, time: sent}";
        String letter = """
                {"Records":[{"Type":"Notification","MessageId":"1","TopicArn":"arn:aws:sns:eu-west-1:1:t",
                  "Message":"{\\"type\\":\\"thing\\",\\"time\\":\\"2026-11-24T10:00:00Z\\"}"}]}""";

        assertThat(read(forms, letter).events()).hasSize(1);
        assertThat(read(forms, letter, Map.of("source-message-id", "m", "source-event", "3")).indexes())
                .containsExactly(RejectedEvent.WHOLE);
    }

    @Test
    void aFieldThatIsThereTwiceHoldsNoEvents() {
        String forms = "- {type: thing, each: Records, when: {kind: it}, time: sent}";

        assertThat(read(forms, "{\"Records\":[{\"kind\":\"it\"}],\"Records\":[]}").reasons())
                .containsExactly(Reason.DUPLICATE_FIELD);
        assertThat(read(forms, "{\"Records\":[{\"kind\":\"it\"}],").reasons()).containsExactly(Reason.NOT_JSON);
        assertThat(read(forms, "{\"Records\":[{\"kind\":\"it\"}]} 7").reasons()).containsExactly(Reason.NOT_JSON);
    }

    @Test
    void readsElementsInWhateverWrapsTheMessage() {
        String forms = "- {type: thing, each: Records, when: {kind: it}, time: sent, attributes: {name: nm}}";
        String body = "{\"Records\":[{\"kind\":\"it\",\"nm\":\"a\"},{\"kind\":\"it\",\"nm\":\"b\"}]}";
        ReadMessage read = read(forms, """
                {"Type":"Notification","MessageId":"1","TopicArn":"arn:aws:sns:eu-west-1:1:t","Message":"%s"}"""
                .formatted(body.replace("\"", "\\\"")));

        assertThat(read.envelope()).isEqualTo(Envelope.SNS);
        assertThat(read.indexes()).containsExactly(0, 1);
    }

    /** Such as the last one, for whatever the others leave. */
    @Test
    void aFormForWhateverHasNoTypeReadsWhatANotificationHolds() {
        String forms = "- {type: thing, when: {type: {exists: false}}, time: sent, attributes: {name: nm}}";
        String notification = "{\"Type\":\"Notification\",\"TopicArn\":\"arn:aws:sns:eu-west-1:1:t\",\"Message\":\"{\\\"nm\\\":\\\"a\\\"}\"}";

        for (String body : List.of(notification, "[" + notification + "]", notification + "\n" + notification)) {
            assertThat(read(forms, body).events()).as(body).isNotEmpty().allSatisfy(
                    event -> assertThat(event.attributes()).containsEntry("name", new Attribute.Text("a")));
        }
    }

    @Test
    void aFormOfATypeThatIsIgnoredDropsItsEvents() {
        EventDecoder decoder = ReadMessage.decoder(DatasetsYaml.parse("test", DATASETS + """
                  ignore-types: [s3-test]
                  events:
                    - {type: s3-test, when: {Event: "s3:TestEvent"}, time: at}
                """));

        ReadMessage read = ReadMessage.of(decoder, message("{\"Service\":\"Amazon S3\",\"Event\":\"s3:TestEvent\"}", Map.of()));

        assertThat(read.rejections()).isEmpty();
        assertThat(read.ignored()).isEqualTo(1);
    }

    @Test
    void whatIsKeptOfAnObjectCountsAgainstTheMemoryOfItsMessage() {
        AtomicLong taken = new AtomicLong();
        EventDecoder decoder = decoder("- {type: thing, when: {kind: it}, time: sent, attributes: {name: nm}}");
        String large = "{\"kind\":\"it\",\"nm\":\"" + "x".repeat(100_000) + "\",\"other\":\"" + "y".repeat(100_000) + "\"}";
        EventSink sink = new EventSink() {

            @Override
            public RejectedEvent take(int index, Event event) {
                return null;
            }

            @Override
            public void restart() {
            }
        };

        decoder.decode(message(large + "\n" + large, Map.of()), sink, taken::addAndGet);

        assertThat(taken.get()).as("once, as only one is kept at a time").isBetween(200_000L, 210_000L);
    }

    @Test
    void otherEventsOfTheMessageAreReadAsWithoutForms() {
        String forms = "- {type: thing, when: {kind: it}, time: sent, attributes: {name: nm}}";
        String own = "{\"type\":\"thing\",\"time\":\"2026-11-24T10:00:00Z\",\"attributes\":{\"name\":\"own\"}}";
        String cloud = "{\"specversion\":\"1.0\",\"type\":\"thing\",\"id\":\"1\",\"source\":\"s\",\"data\":{\"name\":\"cloud\"}}";
        for (String separator : List.of(",", "\n")) {
            String body = String.join(separator, "{\"kind\":\"it\",\"nm\":\"form\"}", own, "7", cloud);
            ReadMessage read = read(forms, separator.equals(",") ? "[" + body + "]" : body);

            assertThat(read.events()).extracting(event -> event.attributes().get("name"))
                    .containsExactly(new Attribute.Text("form"), new Attribute.Text("own"), new Attribute.Text("cloud"));
            assertThat(read.rejections()).extracting(RejectedEvent::text).containsExactly("7");
        }
    }

    /** The sources on the writer's page are read by the forms beside them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            S3          | bucket, region, size       | 1970-01-01T00:00:00Z     | C3D13FE58DE4C810 | {bucket=mybucket, region=us-west-2, size=1024}
            EventBridge | country, amount            | 2017-12-22T18:43:48Z     | 6a7e8feb-b491-4cf7-a9f1-bf3703467718 | {amount=39.95, country=US}
            CloudEvents | repository, number, size   | 2018-04-05T17:31:00Z     | https://github.com/cloudevents/spec/pull A234-1234-1234 | {number=123, repository=https://github.com/cloudevents/spec/pull, size=5}
            SES         | recipient, sender          | 2016-01-27T14:59:38.237Z | 00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000 | {recipient=jane@example.com, sender=john@example.com}
            Stripe      | currency, amount           | 2023-03-29T04:27:08Z     | evt_3MqwGnLkdIwHu7ix0Qp0 | {amount=10.99, currency=usd}
            Shopify     | product, price, quantity, currency | 2021-12-31T05:00:00Z | 820982911946154508 866550311766439020 | {currency=USD, price=199.00, product=IPod Nano - 8GB, quantity=1}
            ESP32       | device, sensor, celsius    | 2026-11-20T10:31:32Z     | esp32-7c9e 118           | {celsius=21.5, device=esp32-7c9e, sensor=attic}
            Meters      | meter, wh                  | 2026-11-20T09:00:00Z     | null                     | {meter=DE0001, wh=1250}
            OpenTelemetry | service, scope, severity | 2018-12-13T14:51:00.3Z   | null                     | {scope=my.library, service=my.service, severity=Information}
            nginx       | status, upstream           | 2026-11-20T09:31:32Z     | null                     | {status=502}
            Segment     | title, page, revenue       | 2015-12-12T19:11:01.249Z | ajs-f8ca1e4de5024d9430b3928bd8ac6b96 | {page=/academy/, revenue=0, title=Intro to Analytics}
            """)
    void theFormOfASourceReadsItsExample(String source, String attributes, String time, String id, String read)
            throws IOException {
        List<MatchResult> found = SOURCE.matcher(Files.readString(PAGE).split("\n### Sources\n", 2)[1]).results()
                .filter(match -> match.group(1).equals(source)).toList();
        assertThat(found).hasSize(1);
        String form = found.get(0).group(2);
        String type = form.lines().findFirst().orElseThrow().substring("- type: ".length());

        ReadMessage message = ReadMessage.of(ReadMessage.decoder(DatasetsYaml.parse("page", """
                windrow:
                  datasets:
                    all: {event-type: %s, label: [%s], granularities: [day], measures: {events: {type: count}}}
                  events:
                %s""".formatted(type, attributes, form.indent(4)))),
                TestMessages.message(found.get(0).group(3), Map.of(), Instant.parse("2026-11-24T10:00:00Z")));

        assertThat(message.rejections()).isEmpty();
        Event event = message.events().get(0);
        assertThat(message.events()).hasSize(1);
        assertThat(event.time()).isEqualTo(time);
        assertThat(String.valueOf(event.id())).isEqualTo(id);
        Map<String, String> labels = new TreeMap<>();
        event.attributes().forEach((name, value) -> labels.put(name, String.valueOf(value.label())));
        assertThat(labels).hasToString(read);
    }
}
