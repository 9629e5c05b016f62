package dev.windrow.gather.plan;

/** What is read. */
public enum ReadSource {
    TABLE,
    INDEX,
    /** Items of a leaderboard, which have their place and value only. */
    RANK,
    /** The number of items of a leaderboard between two values, both exclusive. */
    RANK_COUNT
}
