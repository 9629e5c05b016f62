package dev.windrow.bench.page;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;

import dev.windrow.bench.page.Section.Line;
import dev.windrow.bench.page.Section.Plot;

/** Draws a plot with logarithmic axes, so that a power is a straight line and its exponent the slope. */
final class SvgPlot {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 420;
    private static final int LEFT = 80;
    private static final int RIGHT = 200;
    private static final int TOP = 40;
    private static final int BOTTOM = 60;
    // Told apart by people who do not see all colours (Okabe and Ito).
    private static final List<String> COLOURS = List.of("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
            "#444444");

    private final Plot plot;
    private final DoubleUnaryOperator x;
    private final DoubleUnaryOperator y;
    private final StringBuilder svg = new StringBuilder();

    private SvgPlot(Plot plot) {
        this.plot = plot;
        this.x = axis(plot.lines().stream().flatMap(line -> line.x().stream()), LEFT, WIDTH - RIGHT);
        this.y = axis(plot.lines().stream().flatMap(line -> line.y().stream()), HEIGHT - BOTTOM, TOP);
    }

    static String draw(Plot plot) {
        return new SvgPlot(plot).draw();
    }

    private static DoubleUnaryOperator axis(Stream<Double> values, int from, int to) {
        double[] logs = values.mapToDouble(Math::log10).sorted().toArray();
        double low = Math.floor(logs[0] + 1e-9);
        double high = Math.max(low + 1, Math.ceil(logs[logs.length - 1] - 1e-9));
        return value -> from + (Math.log10(value) - low) / (high - low) * (to - from);
    }

    private String draw() {
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ").append(WIDTH).append(' ').append(HEIGHT)
                .append("\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
        text(LEFT, TOP - 16, "start", plot.title(), "font-size=\"15\"");
        text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", plot.xLabel(), "");
        text(-(TOP + HEIGHT - BOTTOM) / 2.0, 18, "middle", plot.yLabel(), "transform=\"rotate(-90)\"");
        for (int power = -9; power <= 12; power++) {
            decade(Math.pow(10, power));
        }
        for (int i = 0; i < plot.lines().size(); i++) {
            line(plot.lines().get(i), COLOURS.get(i % COLOURS.size()), TOP + 20 * i);
        }
        return svg.append("</svg>\n").toString();
    }

    private void decade(double value) {
        double atX = x.applyAsDouble(value);
        if (atX >= LEFT - 0.5 && atX <= WIDTH - RIGHT + 0.5) {
            stroke(atX, TOP, atX, HEIGHT - BOTTOM, "#dddddd");
            text(atX, HEIGHT - BOTTOM + 18, "middle", Format.number(value), "");
        }
        double atY = y.applyAsDouble(value);
        if (atY >= TOP - 0.5 && atY <= HEIGHT - BOTTOM + 0.5) {
            stroke(LEFT, atY, WIDTH - RIGHT, atY, "#dddddd");
            text(LEFT - 8, atY + 4, "end", Format.number(value), "");
        }
    }

    private void line(Line line, String colour, int legend) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < line.x().size(); i++) {
            double atX = x.applyAsDouble(line.x().get(i));
            double atY = y.applyAsDouble(line.y().get(i));
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", atX, atY));
            svg.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>%n", atX, atY, colour));
        }
        svg.append("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"").append(colour).append("\" points=\"")
                .append(points.toString().strip()).append("\"/>\n");
        stroke(WIDTH - RIGHT + 12, legend, WIDTH - RIGHT + 32, legend, colour);
        text(WIDTH - RIGHT + 38, legend + 4, "start", line.name(), "");
    }

    private void stroke(double x1, double y1, double x2, double y2, String colour) {
        svg.append(String.format(Locale.ROOT, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\"/>%n", x1, y1, x2, y2, colour));
    }

    private void text(double atX, double atY, String anchor, String text, String more) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
        svg.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>%n", atX, atY, anchor,
                more, escaped));
    }
}
