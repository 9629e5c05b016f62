package dev.windrow.quickstart.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Lines of a file that are not counted, each with the reason. All are counted, and the first of them are kept. */
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

    public long count() {
        return count;
    }

    /** A sentence for each of the first twenty, in order, and one for the rest. */
    public List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        for (Map.Entry<Long, String> line : first.entrySet()) {
            sentences.add("line " + line.getKey() + ": " + line.getValue());
        }
        if (count > first.size()) {
            sentences.add("and %,d more lines".formatted(count - first.size()));
        }
        return sentences;
    }
}
