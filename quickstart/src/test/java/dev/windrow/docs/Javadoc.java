package dev.windrow.docs;

import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A Javadoc comment as Markdown.
 *
 * @param text what comes before the tags
 * @param returned the text of {@code @return}; empty if there is none
 */
record Javadoc(String text, String returned) {

    private static final Pattern CODE = Pattern.compile("\\{@(?:code|link|linkplain|value)\\s+([^}]*)}");
    private static final Pattern TAG = Pattern.compile("(?m)^\\s*@(?=\\w)");
    private static final String RETURN = "return ";

    static Javadoc of(@Nullable String comment) {
        if (comment == null) {
            return new Javadoc("", "");
        }
        List<String> blocks = TAG.splitAsStream(comment).toList();
        String returned = "";
        for (int i = 1; i < blocks.size(); i++) {
            if (blocks.get(i).startsWith(RETURN)) {
                returned = markdown(blocks.get(i).substring(RETURN.length()));
            }
        }
        return new Javadoc(markdown(blocks.get(0)), returned);
    }

    private static String markdown(String text) {
        return CODE.matcher(text).replaceAll("`$1`").replaceAll("\\s+", " ").strip();
    }
}
