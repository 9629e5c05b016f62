package dev.windrow.gather.fanout;

/**
 * How much may go on at a time.
 *
 * @param readsPerAnswer most reads in flight for one answer
 * @param answers most answers gathered at a time
 * @param answersWaiting most answers that wait for their turn
 * @param itemsPerAnswer about how many items of one answer may be held at a time
 */
public record FanoutBounds(int readsPerAnswer, int answers, int answersWaiting, int itemsPerAnswer) {
}
