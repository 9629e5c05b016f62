package dev.windrow.gather.model;

import java.util.List;

/**
 * A declared leaderboard.
 *
 * @param within how many of the label's first attributes its labels share
 * @param width over how many partition keys it is spread
 */
record ModelRank(String by, int within, int width, List<String> granularities) {

    /** @param label the dataset's */
    String yaml(List<String> label) {
        return "{by: " + by + ", within: " + label.subList(0, within) + ", width: " + width + ", granularities: "
                + granularities + "}";
    }
}
