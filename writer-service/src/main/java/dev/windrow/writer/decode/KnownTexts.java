package dev.windrow.writer.decode;

import org.jspecify.annotations.Nullable;

/**
 * Texts that were read lately. Types and labels come again and again: one that is known costs no memory and brings its
 * hash with it. Bounded, as a text takes the place of another with the same low bits of its hash. Thread-safe: at worst a
 * text is made twice.
 */
final class KnownTexts {

    private static final int PLACES = 4_096;
    private static final int LONGEST = 256;

    private final @Nullable String[] known = new String[PLACES];

    String of(char[] characters, int from, int length) {
        if (length > LONGEST) {
            return new String(characters, from, length);
        }
        int hash = 0;
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + characters[i];
        }
        int place = (hash ^ hash >>> 16) & PLACES - 1;
        String text = known[place];
        if (text == null || text.hashCode() != hash || !isSame(text, characters, from, length)) {
            text = new String(characters, from, length);
            known[place] = text;
        }
        return text;
    }

    private static boolean isSame(String text, char[] characters, int from, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != characters[from + i]) {
                return false;
            }
        }
        return true;
    }
}
