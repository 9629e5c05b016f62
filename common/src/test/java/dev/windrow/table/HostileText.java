package dev.windrow.table;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Text that breaks careless codecs: separators, escapes, controls, empty parts, all planes of Unicode. */
public final class HostileText {

    private static final List<String> PIECES = List.of("", "#", "$", "$S", "$T", "!", "\"", " ", "_", "~", "%", "\u0000",
            "\u0001", "\u001f", "\u007f", "\u0080", "a", "b", "0", "é", "ß", "中", "\ud7ff", "\ue000", "\uffff",
            "\ud800\udc00", "\ud83d\ude00", "\udbff\udfff", "https://example.org/?a=b&c=d#e f");

    private HostileText() {
    }

    public static List<String> parts(RandomGenerator random) {
        List<String> parts = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            parts.add(part(random));
        }
        return parts;
    }

    public static String part(RandomGenerator random) {
        StringBuilder part = new StringBuilder();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            if (random.nextInt(4) == 0) {
                part.appendCodePoint(anyCodePoint(random));
            } else {
                part.append(PIECES.get(random.nextInt(PIECES.size())));
            }
        }
        return part.toString();
    }

    private static int anyCodePoint(RandomGenerator random) {
        int codePoint = random.nextInt(Character.MAX_CODE_POINT + 1);
        boolean surrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
        return surrogate ? random.nextInt(Character.MIN_SURROGATE) : codePoint;
    }
}
