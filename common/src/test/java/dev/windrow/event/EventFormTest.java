package dev.windrow.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.dataset.DatasetShape;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.InvalidDatasetsException;

class EventFormTest {

    private static final String FILE = """
            windrow:
              datasets:
                uploads:
                  event-type: upload
                  label: [bucket]
                  granularities: [day]
                  measures: {files: {type: count}}
                clicks:
                  event-type: click
                  label: [referrer]
                  granularities: [day]
                  measures: {clicks: {type: count}}
              ignore-types: [s3-test]
              events:
            """;

    private static final String UPLOAD = """
            - type: upload
              each: Records
              when: {eventSource: "aws:s3", eventName: ["ObjectCreated:Put", "ObjectCreated:Post"]}
              time: eventTime
              id: responseElements.x-amz-request-id
              tenant: s3.bucket.ownerIdentity.principalId
              attributes: {bucket: s3.bucket.name, region: {path: awsRegion, default: unknown}}
            """;

    private static Datasets parse(String forms) {
        return DatasetsYaml.parse("test", FILE + forms.indent(4));
    }

    private static String shape(String forms) {
        Datasets datasets = parse(forms);
        return DatasetShape.of(datasets.named("uploads").orElseThrow(), datasets.forms()).fields().get("events");
    }

    @Test
    void formsAreReadInTheirOrder() {
        List<EventForm> forms = parse(UPLOAD + "- {type: s3-test, when: {Event: \"s3:TestEvent\"}, time: sent}\n").forms();

        assertThat(forms).extracting(EventForm::type).containsExactly("upload", "s3-test");
        assertThat(forms.get(0).each()).containsExactly("Records");
        assertThat(forms.get(0).attributes()).containsOnlyKeys("bucket", "region");
        assertThat(forms.get(0).origin("attributes.bucket")).isEqualTo("s3.bucket.name");
        assertThat(forms.get(0).origin("id")).isEqualTo("responseElements.x-amz-request-id");
        assertThat(forms.get(0).origin("attributes")).isEqualTo("attributes");
        assertThat(forms.get(1).time().path()).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = { "type: click, when: {a: 1}, time: t, zone: x | windrow.events[0].zone: unknown field",
            "type: clock, when: {a: 1}, time: t | windrow.events[0].type: no dataset counts type 'clock', and "
                    + "ignore-types does not list it",
            "when: {a: 1}, time: t | windrow.events[0].type: expected an event type, found nothing",
            "type: click, time: t | windrow.events[0].when: expected at least one named entry, found nothing",
            "type: click, when: {}, time: t | windrow.events[0].when: expected at least one named entry",
            "type: click, when: {a..b: 1}, time: t | windrow.events[0].when.a..b: its name must be names of fields",
            "type: click, when: {a: {is: 1}}, time: t | windrow.events[0].when.a.is: unknown field: the known ones are below, exists, from, prefix",
            "type: click, when: {a: {}}, time: t | windrow.events[0].when.a: expected a value, a list of values, {prefix",
            "type: click, when: {a: {exists: 1}}, time: t | windrow.events[0].when.a.exists: expected true or false, found '1'",
            "type: click, when: {a: []}, time: t | windrow.events[0].when.a: expected a list with at least one element",
            "type: click, when: {a: [[1]]}, time: t | windrow.events[0].when.a[0]: expected text, a number or a boolean",
            "type: click, when: {a: yes}, time: t | windrow.events[0].when.a: expected text, found yes",
            "type: click, when: {on: 1}, time: t | windrow.events[0].when.on: expected text, found on",
            "type: click, when: {a: 1} | windrow.events[0].time: expected names of fields joined by dots",
            "type: click, when: {a: 1}, time: .t | windrow.events[0].time: expected names of fields joined by dots",
            "type: click, when: {a: 1}, time: {format: HH} | windrow.events[0].time.path: expected names of fields",
            "type: click, when: {a: 1}, time: {path: t, format: HH:mm} | windrow.events[0].time.format: expected a pattern of "
                    + "date and time such as dd/MM/yyyy HH:mm:ss, found 'HH:mm': it lacks the date",
            "type: click, when: {a: 1}, time: {path: t, format: \"bad'\"} | windrow.events[0].time.format: expected a pattern",
            "type: click, when: {a: 1}, time: {path: t, zone: Mars/North} | windrow.events[0].time.zone: expected a region such "
                    + "as Europe/Berlin or an offset such as +01:00, found 'Mars/North'",
            "type: click, when: {a: 1}, time: t, id: [a, ''] | windrow.events[0].id[1]: expected names of fields",
            "type: click, when: {a: 1}, time: t, id: [] | windrow.events[0].id: expected a list with at least one element",
            "type: click, when: {a: 1}, time: t, tenant: [a] | windrow.events[0].tenant: expected names of fields",
            "type: click, when: {a: 1}, time: t, attributes: {x: a.} | windrow.events[0].attributes.x: expected names of fields",
            "type: click, when: {a: 1}, time: t, attributes: {x: {default: 1}} | windrow.events[0].attributes.x.path: expected",
            "type: click, when: {a: 1}, time: t, attributes: {x: {path: a, default: []}} | "
                    + "windrow.events[0].attributes.x.default: expected text, a number or a boolean",
            "type: click, when: {a: 1}, time: t, each: [] | windrow.events[0].each: expected a list with at least one element",
            "type: click, when: {a: 1}, time: t, each: [a, b, c, d] | windrow.events[0].each: expected the name of a field of the "
                    + "message, or a list of up to three names that lead from array to array, found 4",
            "type: click, when: {a: 1}, time: t, each: a.b | windrow.events[0].each: expected the name of a field of the message, "
                    + "or a list of up to three names that lead from array to array, found 'a.b'",
            "type: click, when: {a: 1}, time: t, each: \"a[*]\" | windrow.events[0].each: expected the name of a field",
            "type: click, when: {a: 1}, time: $.b.c | windrow.events[0].time: expected names of fields joined by dots, such as "
                    + "detail.customer.country, or sent, found '$.b.c': leave out $, as a path begins at the fields of the object",
            "type: click, when: {$.b: 1}, time: t | windrow.events[0].when.$.b: its name must be names of fields joined by dots, "
                    + "such as detail.customer.country: leave out $",
            "type: click, when: {a: 1}, time: t, id: b.*.c | windrow.events[0].id: expected names of fields joined by dots, such as "
                    + "detail.customer.country, found 'b.*.c': a path has no wildcards, and no position but [0]",
            "type: click, when: {a: 1}, time: t, tenant: \"b[1].c\" | windrow.events[0].tenant: expected names of fields joined by "
                    + "dots, such as detail.customer.country, found 'b[1].c': a path has no wildcards, and no position but [0]",
            "type: click, when: {a: 1}, time: \"b[*].c\" | windrow.events[0].time: expected names of fields",
            "type: click, when: {a: 1}, time: ../t | windrow.events[0].time: expected names of fields joined by dots, such as "
                    + "detail.customer.country, or sent, found '../t': each ../ leads out of an array that each names, and there are 0",
            "type: click, each: r, when: {../../a: 1}, time: t | windrow.events[0].when.../../a: its name must be names of fields "
                    + "joined by dots, such as detail.customer.country: each ../ leads out of an array that each names, and there are 1",
            "type: click, when: {a: \">5\"}, time: t | windrow.events[0].when.a: expected a value, a list of values, {prefix: …}, "
                    + "{from: …, below: …} or {exists: …}, found '>5': write {from: 5} for numbers from 5 on, or [\">5\"] if the "
                    + "value is that text",
            "type: click, when: {a: \"<= -1.5\"}, time: t | windrow.events[0].when.a: expected a value, a list of values, "
                    + "{prefix: …}, {from: …, below: …} or {exists: …}, found '<= -1.5': write {below: -1.5} for numbers below -1.5",
            "type: click, when: {a: \"!= x\"}, time: t | windrow.events[0].when.a: expected a value, a list of values, {prefix: …}, "
                    + "{from: …, below: …} or {exists: …}, found '!= x': there is no such condition: list the values that count",
            "type: click, when: {a: \"ObjectCreated:*\"}, time: t | windrow.events[0].when.a: expected a value, a list of values, "
                    + "{prefix: …}, {from: …, below: …} or {exists: …}, found 'ObjectCreated:*': write {prefix: \"ObjectCreated:\"}",
            "type: click, when: {a: 1}, time: {path: t, zone: {path: z, default: Mars}} | windrow.events[0].time.zone.default: "
                    + "expected a region",
            "type: click, when: {a: 1}, time: {path: t, zone: {default: UTC}} | windrow.events[0].time.zone.path: expected names",
            "type: click, when: {a: 1}, time: {path: t, shift: hour} | windrow.events[0].time.shift: expected a duration of at most "
                    + "366d, such as 15m or -1h, found 'hour'",
            "type: click, when: {a: 1}, time: {path: t, shift: 367d} | windrow.events[0].time.shift: expected a duration",
            "type: click, when: {a: 1}, time: t, attributes: {x: {path: a, factor: 0}} | windrow.events[0].attributes.x.factor: "
                    + "expected a number other than 0, found '0'",
            "type: click, when: {a: 1}, time: t, attributes: {x: {path: a, factor: 0x10}} | windrow.events[0].attributes.x.factor: "
                    + "expected a number in plain digits",
            "type: click, when: {a: 1}, time: t, attributes: {x: {path: a, absent: []}} | windrow.events[0].attributes.x.absent: "
                    + "expected a list with at least one element",
            "type: click, when: {a: 1}, time: t, attributes: {x: {path: a, absent: \"-\"}} | windrow.events[0].attributes.x.absent: "
                    + "expected a list of values, or non-numeric for all text that is no number, found '-'" })
    void whatIsWrongIsNamedWithItsField(String form, String problem) {
        InvalidDatasetsException invalid = catchThrowableOfType(InvalidDatasetsException.class,
                () -> parse("- {" + form + "}\n"));

        assertThat(invalid).isNotNull();
        assertThat(invalid).hasMessageContaining("\n  " + problem);
    }

    @Test
    void aFormThatNoEventCouldReachIsRefused() {
        String same = "- {type: click, each: Records, when: {eventName: [\"ObjectCreated:Post\", \"ObjectCreated:Put\"], "
                + "eventSource: \"aws:s3\"}, time: sent}\n";

        assertThatThrownBy(() -> parse(UPLOAD + same)).hasMessageContaining(
                "windrow.events[1].when: has the same conditions as windrow.events[0], which reads these events first");
        assertThat(parse(UPLOAD + same.replace("each: Records", "each: records")).forms()).hasSize(2);
    }

    @Test
    void valuesOfConditionsAreLabels() {
        EventForm form = parse("- {type: click, when: {bot: true, status: [200, \"404\"], kind: \"yes\"}, time: sent}\n")
                .forms()
                .get(0);

        assertThat(form.when()).flatExtracting(requirement -> List.copyOf(requirement.condition().oneOf())).containsExactly(
                "true", "200",
                "404",
                "yes");
    }

    @Test
    void aListHasValuesThatLookLikeComparisons() {
        EventForm form = parse("- {type: click, when: {a: [\">5\", \"a*\"], b: <none>, c: $x, $d: 1}, time: sent}\n").forms()
                .get(0);

        assertThat(form.when()).flatExtracting(requirement -> List.copyOf(requirement.condition().oneOf())).containsExactly(
                ">5",
                "a*", "<none>", "$x", "1");
    }

    @Test
    void theShapeHasWhatFormsOfItsTypeReadAndNothingElse() {
        String shape = shape(UPLOAD);

        assertThat(shape("- {type: click, when: {a: 1}, time: t}\n")).isEqualTo("own");
        assertThat(shape).isNotEqualTo("own").doesNotContain(" ", "\n");
        assertThat(shape(UPLOAD + "- {type: click, when: {a: 1}, time: t}\n")).as("of another type").isEqualTo(shape);
        assertThat(shape(UPLOAD.replace("[\"ObjectCreated:Put\", \"ObjectCreated:Post\"]",
                "[\"ObjectCreated:Post\", \"ObjectCreated:Put\"]").replace("{bucket: s3.bucket.name, ", "{")
                .replace("default: unknown}", "default: unknown}, bucket: s3.bucket.name"))).as("in another order")
                .isEqualTo(shape);
        for (String[] edit : new String[][] { { "each: Records", "each: records" }, { "aws:s3", "aws:s4" },
                { "eventTime", "time" }, { "eventTime", "sent" }, { "time: eventTime", "time: {path: eventTime, zone: UTC}" },
                { "time: eventTime", "time: {path: eventTime, format: \"yyyy-MM-dd HH:mm\"}" },
                { "x-amz-request-id", "x-amz-id-2" }, { "principalId", "id" }, { "s3.bucket.name", "s3.bucket.arn" },
                { "default: unknown", "default: 1" }, { "default: unknown", "default: \"1\"" }, { ", default: unknown", "" },
                { "each: Records", "each: [Records, parts]" }, { "default: unknown", "default: unknown, factor: 10" },
                { "default: unknown", "default: unknown, absent: [\"-\"]" }, { "default: unknown", "absent: non-numeric" },
                { "time: eventTime", "time: {path: eventTime, zone: {path: z}}" }, { "awsRegion", "../awsRegion" },
                { "time: eventTime", "time: {path: eventTime, shift: -1h}" }, { "s3.bucket.name", "\"s3[0].bucket.name\"" },
                { "region:", "zone:" } }) {
            assertThat(shape(UPLOAD.replace(edit[0], edit[1]))).as(String.join(" → ", edit)).isNotEqualTo(shape);
        }
        assertThat(shape(UPLOAD.replace("default: unknown", "default: 1")))
                .isNotEqualTo(shape(UPLOAD.replace("default: unknown", "default: \"1\"")));
    }
}
