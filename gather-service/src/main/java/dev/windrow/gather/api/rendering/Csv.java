package dev.windrow.gather.api.rendering;

import java.math.BigDecimal;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** Writes lines of CSV as in RFC 4180: a header, CRLF, cells quoted where they need be, empty where there is no value. */
public final class Csv {

    /** Characters with which spreadsheets start a formula, or which they drop before one. */
    private static final String FORMULAS = "=+-@\t\r\n";
    /** Without it, spreadsheets take UTF-8 for the encoding of their own system. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final boolean spreadsheet;

    /**
     * @param spreadsheet whether to protect spreadsheets from formula injection: text that starts like a formula gets an
     *        apostrophe in front, so that a producer's label is shown and not run. Numbers stay numbers. It begins with a byte
     *        order mark.
     */
    public Csv(boolean spreadsheet) {
        this.spreadsheet = spreadsheet;
    }

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

    private String shown(String text) {
        return spreadsheet && !text.isEmpty() && FORMULAS.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
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
