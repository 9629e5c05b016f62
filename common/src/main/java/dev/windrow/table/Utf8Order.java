package dev.windrow.table;

import java.util.Comparator;

/**
 * DynamoDB's order of strings: unsigned UTF-8 bytes, which is the order of code points. {@link String#compareTo} differs
 * from it where a character beyond the basic plane (a surrogate pair in Java) meets one between U+E000 and U+FFFF.
 */
public enum Utf8Order implements Comparator<String> {

    ASCENDING;

    /** Whether {@link String#compareTo}, which is faster, puts this string and others like it into the same order. */
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
