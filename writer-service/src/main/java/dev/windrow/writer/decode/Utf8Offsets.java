package dev.windrow.writer.decode;

/** Finds the bytes of UTF-8 at which characters of the text begin, in one pass: positions are looked up in ascending order. */
final class Utf8Offsets {

    private final byte[] utf8;
    private int byteAt;
    private long charAt;

    /** @param from the byte at which character 0 begins */
    Utf8Offsets(byte[] utf8, int from) {
        this.utf8 = utf8;
        this.byteAt = from;
    }

    /** The byte at which a character begins; characters are those of a {@code String}, so some take two. */
    int byteAt(long character) {
        while (charAt < character && byteAt < utf8.length) {
            byte first = utf8[byteAt];
            // A lead byte says how many bytes follow; those that take four are two characters.
            int length = first >= 0 ? 1 : first < (byte) 0xE0 ? 2 : first < (byte) 0xF0 ? 3 : 4;
            byteAt += length;
            charAt += length == 4 ? 2 : 1;
        }
        return byteAt;
    }
}
