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

import dev.windrow.dataset.EventTimes;
import io.quarkus.jackson.ObjectMapperCustomizer;

/**
 * Numbers are written in full, never with an exponent; times as RFC 3339 text. That has no time after the year 9999, with which
 * the last ranges end: the last one it has stands for it.
 */
@Singleton
class ExactNumberFormat implements ObjectMapperCustomizer {

    /** The last, as the module for times that comes with Quarkus would replace what is said of them here. */
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
