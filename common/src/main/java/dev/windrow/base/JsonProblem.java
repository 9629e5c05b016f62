package dev.windrow.base;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Words a JSON parser's error for people who know JSON but not the parser: without its settings and places in its source. */
public final class JsonProblem {

    private static final Pattern NOT_A_NUMBER = Pattern.compile("Non-standard token '(-?[A-Za-z]+)'.*", Pattern.DOTALL);
    private static final Pattern COMMENT = Pattern.compile(".*\\(non-standard\\) comment.*", Pattern.DOTALL);
    private static final Pattern CHARACTER = Pattern
            .compile("Unexpected character \\('.*' \\(code ([0-9]+)[^)]*\\)\\).*|Invalid UTF-8.*", Pattern.DOTALL);
    private static final Pattern START = Pattern.compile(" ?\\((start marker|for \\w+ starting) at \\[.*", Pattern.DOTALL);
    private static final Pattern SETTING = Pattern.compile("(: enable|, from) `[^`]*`( to allow)?");
    private static final int LAST_ASCII = 0x7F;

    private JsonProblem() {
    }

    /** @param message the message of Jackson's exception, without its location */
    public static String of(String message) {
        Matcher number = NOT_A_NUMBER.matcher(message);
        if (number.matches()) {
            return number.group(1) + " is no number in JSON: leave the field out, or write null";
        }
        if (COMMENT.matcher(message).matches()) {
            return "JSON has no comments";
        }
        Matcher character = CHARACTER.matcher(message);
        if (character.matches()) {
            int code = character.group(1) == null ? Integer.MAX_VALUE : Integer.parseInt(character.group(1));
            if (code > LAST_ASCII) {
                // A parser of bytes may know just the first byte of the character.
                return "found a character outside text in quotes that is not ASCII, such as U+2028 or U+00A0";
            }
        }
        return SETTING.matcher(START.matcher(message).replaceFirst("")).replaceAll("");
    }
}
