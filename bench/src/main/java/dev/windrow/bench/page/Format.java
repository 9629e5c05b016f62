package dev.windrow.bench.page;

import java.util.Locale;

/** Numbers as the page prints them: three digits that mean something, thousands grouped. */
final class Format {

    private Format() {
    }

    static String cell(Object cell) {
        return cell instanceof Number number ? number(number.doubleValue()) : String.valueOf(cell).replace("|", "\\|");
    }

    static String number(double value) {
        double size = Math.abs(value);
        if (size >= 100 || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : size >= 0.1 ? "%.3f" : "%.4f", value);
    }
}
