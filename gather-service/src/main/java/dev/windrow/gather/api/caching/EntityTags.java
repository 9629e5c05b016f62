package dev.windrow.gather.api.caching;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.commons.codec.digest.DigestUtils;

/** Makes entity tags, and compares them with conditions of requests (RFC 9110, sections 8.8.3 and 13.1). */
final class EntityTags {

    private static final byte[] MOMENT = "\"asOf\":\"".getBytes(UTF_8);
    /** Two answers to one query have the same tag by chance once in 2^64 times. */
    private static final int BYTES = 8;

    private static final Pattern TAG = Pattern.compile("(?:W/)?\"([\\x21\\x23-\\x7e\\x80-\\xff]*+)\"");

    private EntityTags() {
    }

    /**
     * The tag of an answer. The same answer read at another moment has the same tag: {@code asOf} is left out. No label can
     * look like it, as its quotes are escaped.
     */
    static String of(byte[] answer) {
        int moment = moment(answer);
        int end = moment;
        while (end < answer.length && answer[end] != '"') {
            end++;
        }
        // Processors have instructions for it: several times as fast as other hashes in Java.
        MessageDigest digest = DigestUtils.getSha256Digest();
        digest.update(answer, 0, moment);
        digest.update(answer, end, answer.length - end);
        return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    }

    /** Where the moment of an answer begins, or the end of the answer if it has none. */
    private static int moment(byte[] answer) {
        for (int i = answer.length - MOMENT.length; i >= 0; i--) {
            if (Arrays.equals(answer, i, i + MOMENT.length, MOMENT, 0, MOMENT.length)) {
                return i + MOMENT.length;
            }
        }
        return answer.length;
    }

    /** Whether the header If-None-Match names this tag, by weak comparison: whether one or both are weak does not matter. */
    static boolean anyMatches(String header, String opaqueTag) {
        if (header.strip().equals("*")) {
            return true;
        }
        Matcher tags = TAG.matcher(header);
        while (tags.find()) {
            if (tags.group(1).equals(opaqueTag)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the header If-Match lets an answer through: by strong comparison, which a weak tag never passes. */
    static boolean allowsWeak(String header) {
        return header.strip().equals("*");
    }
}
