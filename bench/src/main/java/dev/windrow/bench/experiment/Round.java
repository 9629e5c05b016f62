package dev.windrow.bench.experiment;

import dev.windrow.bench.server.Meter;

/**
 * Resources that one round used.
 *
 * @param usage usage until the last message was deleted
 * @param table capacity units of its table
 */
record Round(Usage usage, Meter.Reading table) {
}
