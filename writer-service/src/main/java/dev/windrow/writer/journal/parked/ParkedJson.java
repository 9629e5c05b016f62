package dev.windrow.writer.journal.parked;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Decimals;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.writer.journal.record.Addition;
import dev.windrow.writer.journal.record.Change;
import dev.windrow.writer.journal.record.IndexKey;
import dev.windrow.writer.journal.request.Request;

/** The body of a dead letter of parked additions: human-readable, and strictly checked when it is replayed. */
final class ParkedJson {

    private static final JsonFactory JSON = JsonFactory.builder().streamReadConstraints(
            StreamReadConstraints.builder().maxNestingDepth(3).build()).build();
    private static final String BODY = "body";
    private static final String GRANULARITY = "granularity";
    private static final String ADDITIONS = "additions";
    private static final String MEASURE = "measure";
    private static final String KIND = "kind";
    private static final String VALUE = "value";
    private static final String TIME = "time";

    private ParkedJson() {
    }

    static String write(Request.SendParked parked) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("pk", parked.item().partitionKey());
            json.writeStringField("sk", parked.item().sortKey());
            IndexKey index = parked.item().index();
            if (index != null) {
                json.writeStringField("ipk", index.partitionKey());
                json.writeStringField("isk", index.sortKey());
            }
            json.writeStringField(GRANULARITY, parked.granularity());
            json.writeArrayFieldStart(ADDITIONS);
            for (Change change : parked.changes()) {
                write(change, json);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(Change change, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField(MEASURE, change.measure());
        json.writeStringField(KIND, change.kind().word());
        json.writeStringField(VALUE, Decimals.canonical(change.value().value()));
        Instant time = change.value().time();
        if (time != null) {
            json.writeStringField(TIME, time.toString());
        }
        json.writeEndObject();
    }

    static Addition read(byte[] body) {
        Map<String, String> fields = new HashMap<>();
        List<Change> changes = new ArrayList<>();
        try (JsonParser json = JSON.createParser(body)) {
            require(json.nextToken() == JsonToken.START_OBJECT, "an object");
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                if (json.nextToken() == JsonToken.START_ARRAY && name.equals(ADDITIONS)) {
                    while (json.nextToken() == JsonToken.START_OBJECT) {
                        changes.add(change(texts(json)));
                    }
                    require(json.currentToken() == JsonToken.END_ARRAY, "objects in " + ADDITIONS);
                } else {
                    require(json.currentToken() == JsonToken.VALUE_STRING, "text in " + name);
                    fields.put(name, json.getText());
                }
            }
            require(json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null, "one object");
        } catch (IOException e) {
            throw new InvalidInputException(Reason.NOT_JSON, BODY, "expected parked additions, found " + e.getMessage());
        }
        require(!changes.isEmpty() && changes.stream().map(Change::measure).distinct().count() == changes.size(),
                "at least one addition, and one for each measure at most");
        String granularity = fields.getOrDefault(GRANULARITY, "");
        return new Addition(ParkedKeys.checked(fields, granularity), granularity, changes);
    }

    private static Map<String, String> texts(JsonParser json) throws IOException {
        Map<String, String> texts = new HashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            require(json.nextToken() == JsonToken.VALUE_STRING, "text in " + name);
            texts.put(name, json.getText());
        }
        return texts;
    }

    private static Change change(Map<String, String> texts) {
        MeasureKind kind = MeasureKind.parse(texts.getOrDefault(KIND, ""))
                .orElseThrow(() -> invalid("the kind of a measure in " + KIND));
        String measure = texts.getOrDefault(MEASURE, "");
        require(ParkedKeys.isName(measure), "the name of a measure in " + MEASURE);
        try {
            BigDecimal read = new BigDecimal(texts.getOrDefault(VALUE, ""));
            require(Decimals.fits(read), Decimals.EXPECTED + " in " + VALUE);
            BigDecimal value = read.signum() == 0 ? BigDecimal.ZERO : read;
            return new Change(measure, kind,
                    kind.isTimed() ? MeasureValue.at(value, Instant.parse(texts.getOrDefault(TIME, "")))
                            : MeasureValue.of(value));
        } catch (NumberFormatException e) {
            throw invalid("a number in " + VALUE);
        } catch (DateTimeException e) {
            throw invalid("a time in " + TIME);
        }
    }

    static void require(boolean met, String expectation) {
        if (!met) {
            throw invalid(expectation);
        }
    }

    static InvalidInputException invalid(String expectation) {
        return new InvalidInputException(Reason.INVALID_ENVELOPE, BODY, "expected " + expectation);
    }
}
