package dev.windrow.writer.process;

/** The metrics that the tests rest on, by meaning. */
final class WriterMetrics {

    private WriterMetrics() {
    }

    /** Claim units that were claimed before. */
    static double duplicates(WriterProcess process) {
        return process.metric("windrow_writer_duplicates_dropped_total", "");
    }
}
