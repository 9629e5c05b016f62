package dev.windrow.table;

import java.util.Comparator;

/**
 * DynamoDB's order of strings: unsigned UTF-8 bytes, which is code point order. {@link String#compareTo} differs from it when a
 * character beyond the basic plane (a surrogate pair in Java) is compared with one between U+E000 and U+FFFF.
 */
public enum Utf8Order implements Comparator<String> {

    ASCENDING;

    /** Whether the faster {@link String#compareTo} sorts this string, and others like it, in the same order. */
    public static boolean isNatural(String key) {
        for (int i = 0; i < key.length(); i++) {
            if (key.charAt(i) >= Character.MIN_SURROGATE) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean differentPlanes = Character.isSurrogate(x) != Character.isSurrogate(y);
                return differentPlanes && x >= Character.MIN_SURROGATE && y >= Character.MIN_SURROGATE
                        ? Character.compare(y, x)
                        : Character.compare(x, y);
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
