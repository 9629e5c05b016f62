package dev.windrow.gather.model;

import java.util.List;

/**
 * A declared leaderboard.
 *
 * @param within number of the label's first attributes that its labels share
 * @param width number of partition keys over which it is spread
 */
record ModelRank(String by, int within, int width, List<String> granularities) {

    String yaml(List<String> label) {
        return "{by: " + by + ", within: " + label.subList(0, within) + ", width: " + width + ", granularities: "
                + granularities + "}";
    }
}
