package dev.windrow.gather.render;

import java.io.IOException;
import java.time.Instant;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;

import dev.windrow.time.EventTimes;
import io.quarkus.jackson.ObjectMapperCustomizer;

/**
 * Writes numbers in full, never with an exponent, and times as RFC 3339 text. RFC 3339 has no times after the year 9999, where
 * unbounded ranges end: they are written as its last time.
 */
@Singleton
class ExactNumberFormat implements ObjectMapperCustomizer {

    /** Runs last, because the module for times that comes with Quarkus would replace the serializer below. */
    @Override
    public int priority() {
        return MINIMUM_PRIORITY;
    }

    @Override
    public void customize(ObjectMapper mapper) {
        mapper.enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN);
        mapper.disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);
        mapper.registerModule(new SimpleModule().addSerializer(Instant.class, new StdSerializer<>(Instant.class) {
            @Override
            public void serialize(Instant time, JsonGenerator json, SerializerProvider provider) throws IOException {
                json.writeString((time.isAfter(EventTimes.LATEST) ? EventTimes.LATEST : time).toString());
            }
        }));
    }
}
