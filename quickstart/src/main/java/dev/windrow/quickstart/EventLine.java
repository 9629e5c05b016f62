package dev.windrow.quickstart;

/**
 * An event's text.
 *
 * @param number its line number in the source file, from 1
 * @param text a JSON object
 */
record EventLine(long number, String text) {
}
