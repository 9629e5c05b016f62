package dev.windrow.gather.prometheus;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * An answer in the format of Prometheus' API.
 *
 * @param status {@code success}
 * @param warnings data that is or may be missing; absent if there is none
 */
@RegisterForReflection
public record PrometheusAnswer(String status, Object data,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> warnings) {

    static PrometheusAnswer of(Object data, List<String> warnings) {
        return new PrometheusAnswer("success", data, warnings);
    }
}
