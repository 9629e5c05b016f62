package dev.windrow.gather.api.request;

import java.util.List;
import java.util.Map;

import jakarta.enterprise.context.RequestScoped;

/** The parameters that a request has in its body; none but for POST. */
@RequestScoped
class BodyParameters {

    private Map<String, List<String>> members = Map.of();

    void set(Map<String, List<String>> posted) {
        members = posted;
    }

    Map<String, List<String>> members() {
        return members;
    }
}
