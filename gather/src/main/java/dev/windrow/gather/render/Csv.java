package dev.windrow.gather.render;

import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Writes lines of CSV as in RFC 4180: a header, CRLF, cells quoted only if necessary, and empty if there is no value.
 *
 * @param spreadsheet whether to protect spreadsheets from formula injection: text that would start a formula, at its
 *        beginning or after a semicolon, gets an apostrophe in front, so that a producer's label is shown and not run.
 *        Numbers stay numbers. The output starts with a byte order mark.
 */
public record Csv(boolean spreadsheet) {

    /** Characters that start a formula in spreadsheets, or that they drop in front of one. */
    private static final Pattern FORMULA = Pattern.compile("(?:^|(?<=[;\t]))(?=\"*[=+@\\-\t\r\n])");
    /** Without it, spreadsheets assume the encoding of their system instead of UTF-8. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    String header(List<String> columns) {
        return (spreadsheet ? BYTE_ORDER_MARK : "") + line(columns);
    }

    String line(List<? extends @Nullable Object> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            if (i > 0) {
                line.append(',');
            }
            Object cell = cells.get(i);
            if (cell instanceof BigDecimal number) {
                line.append(number.toPlainString());
            } else if (cell != null) {
                append(line, shown(cell.toString()));
            }
        }
        return line.append("\r\n").toString();
    }

    /** Puts an apostrophe before a formula. Where lists are separated by semicolons, a cell may begin within a text. */
    private String shown(String text) {
        return spreadsheet ? FORMULA.matcher(text).replaceAll("'") : text;
    }

    private static void append(StringBuilder line, String text) {
        boolean plain = text.chars().noneMatch(c -> c == '"' || c == ',' || c == '\r' || c == '\n');
        if (plain) {
            line.append(text);
        } else {
            line.append('"').append(text.replace("\"", "\"\"")).append('"');
        }
    }
}
