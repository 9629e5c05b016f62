package dev.windrow.gather.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A request's path and parameters.
 *
 * @param path below the datasets
 * @param parameters alternating names and values
 */
record Query(String path, List<String> parameters) {

    static Query of(String path, String... parameters) {
        return new Query(path, List.of(parameters));
    }

    static Query of(ModelDataset dataset, String operation, GeneratedRange range, LabelFilter filter) {
        List<String> parameters = new ArrayList<>(range.parameters());
        parameters.addAll(filter.parameters(dataset.label()));
        return new Query(dataset.name() + "/" + operation, List.copyOf(parameters));
    }

    Query with(String... more) {
        List<String> all = new ArrayList<>(parameters);
        all.addAll(List.of(more));
        return new Query(path, List.copyOf(all));
    }

    String encoded() {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i += 2) {
            pairs.add(parameters.get(i) + "=" + URLEncoder.encode(parameters.get(i + 1), UTF_8));
        }
        return pairs.stream().collect(Collectors.joining("&"));
    }

    Map<String, List<String>> members() {
        Map<String, List<String>> members = new LinkedHashMap<>();
        for (int i = 0; i < parameters.size(); i += 2) {
            members.computeIfAbsent(parameters.get(i), absent -> new ArrayList<>()).add(parameters.get(i + 1));
        }
        return members;
    }

    @Override
    public String toString() {
        return path + " " + members();
    }
}
