package dev.windrow.aws;

import java.io.IOException;

import com.fasterxml.jackson.core.JsonGenerator;

@FunctionalInterface
public interface RequestWriter {

    void write(JsonGenerator json) throws IOException;
}
