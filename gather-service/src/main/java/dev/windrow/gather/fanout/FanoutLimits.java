package dev.windrow.gather.fanout;

import java.time.Duration;

/**
 * How much may go on at a time.
 *
 * @param readsPerAnswer most reads in flight for one answer
 * @param answers most answers gathered at a time
 * @param answersWaiting most answers that wait for their turn
 * @param streams most streams gathered at a time, and most that wait for their turn
 * @param readerTimeout how long a stream waits for its reader to take more
 * @param itemsPerAnswer about how many items of one answer may be held at a time
 */
public record FanoutLimits(int readsPerAnswer, int answers, int answersWaiting, int streams, Duration readerTimeout,
        int itemsPerAnswer) {
}
