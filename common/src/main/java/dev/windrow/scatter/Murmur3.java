package dev.windrow.scatter;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.commons.codec.digest.MurmurHash3;

/**
 * The hash of the storage format: the first 64 bits of MurmurHash3 x64 128 with seed 0 over UTF-8. Writers and gatherers
 * of all releases must agree on it.
 */
public final class Murmur3 {

    private Murmur3() {
    }

    public static long hash64(String text) {
        return hash64(text.getBytes(UTF_8));
    }

    public static long hash64(byte[] bytes) {
        return MurmurHash3.hash128x64(bytes, 0, bytes.length, 0)[0];
    }

    /** Returns a number from 0 to the bound, exclusive, chosen by a text's hash. */
    public static int bounded(String text, int bound) {
        return (int) Long.remainderUnsigned(hash64(text), bound);
    }
}
