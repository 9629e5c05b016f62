package dev.windrow.writer.operate;

/** The outcome of a pass; {@code whole} unless it resumed an earlier one. */
record SweepPass(long read, long changed, boolean whole) {
}
