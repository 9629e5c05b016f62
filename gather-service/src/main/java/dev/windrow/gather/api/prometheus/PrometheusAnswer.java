package dev.windrow.gather.api.prometheus;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * An answer in the format of Prometheus' API.
 *
 * @param status {@code success}
 * @param data the result
 * @param warnings what the data lacks, or may lack; absent if nothing
 */
@RegisterForReflection
public record PrometheusAnswer(String status, Object data,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> warnings) {

    static PrometheusAnswer of(Object data, List<String> warnings) {
        return new PrometheusAnswer("success", data, warnings);
    }
}
