package dev.windrow.writer.decode;

record Span(byte[] text, int from, int to) {
}
