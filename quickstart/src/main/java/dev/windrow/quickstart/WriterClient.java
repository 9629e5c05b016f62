package dev.windrow.quickstart;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Asks the writer's management port what became of events. */
public final class WriterClient {

    private static final int MAX_LETTERS = 1_000;

    /**
     * An event that was not counted.
     *
     * @param message the id of the message it came in
     * @param position its place in that message, from 0; -1 if the whole message was rejected
     * @param reason one word, then the field, what was expected there and what was found
     */
    public record DeadLetter(String message, int position, String reason) {
    }

    private final URI base;

    /** @param base such as {@code http://localhost:9001} */
    public WriterClient(URI base) {
        this.base = base;
    }

    /** The sum of a counter over all its tags, or over those with one value of a tag; 0 if there is none. */
    public long counter(String name, String tagAndValue) {
        Pattern sample = Pattern.compile("^" + name + "(\\{[^}]*})? ([0-9.eE+]+)$", Pattern.MULTILINE);
        Matcher matcher = sample.matcher(GatherClient.text(base, "/q/metrics"));
        double sum = 0;
        while (matcher.find()) {
            String tags = matcher.group(1) == null ? "" : matcher.group(1);
            if (tags.contains(tagAndValue)) {
                sum += Double.parseDouble(matcher.group(2));
            }
        }
        return Math.round(sum);
    }

    /** Up to a thousand rejected events. */
    public List<DeadLetter> deadLetters() {
        try {
            JsonNode answer = new ObjectMapper().readTree(GatherClient.text(base, "/manage/dead-letters?limit=" + MAX_LETTERS));
            List<DeadLetter> letters = new ArrayList<>();
            for (JsonNode item : answer.get("items")) {
                JsonNode attributes = item.get("attributes");
                String position = attributes.path("source-event").asText("");
                letters.add(new DeadLetter(attributes.path("source-message-id").asText(""),
                        position.isEmpty() ? -1 : Integer.parseInt(position),
                        attributes.path("reason").asText("") + ": " + attributes.path("detail").asText("")));
            }
            return letters;
        } catch (IOException e) {
            throw new IllegalStateException("the writer's list of dead letters is no JSON", e);
        }
    }
}
