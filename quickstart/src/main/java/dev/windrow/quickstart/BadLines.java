package dev.windrow.quickstart;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Lines of a file that are no good events, each with the reason, of which the first are kept. */
public final class BadLines {

    static final int KEPT = 20;

    private final TreeMap<Long, String> first = new TreeMap<>();
    private long count;

    /**
     * Notes a line.
     *
     * @param number from 1
     * @param reason shown to people
     */
    public void add(long number, String reason) {
        count++;
        first.put(number, reason);
        if (first.size() > KEPT) {
            first.pollLastEntry();
        }
    }

    /** How many were noted. */
    public long count() {
        return count;
    }

    /**
     * A sentence for each of the first twenty, in order, and one for the rest.
     *
     * @param all how many there are, of which more may be known than were noted
     */
    public List<String> sentences(long all) {
        List<String> sentences = new ArrayList<>();
        for (Map.Entry<Long, String> line : first.entrySet()) {
            sentences.add("line " + line.getKey() + ": " + line.getValue());
        }
        if (all > first.size()) {
            sentences.add("and %,d more".formatted(all - first.size()));
        }
        return sentences;
    }
}
