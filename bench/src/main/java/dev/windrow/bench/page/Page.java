package dev.windrow.bench.page;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;

import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;

/** Makes the page from a result file: every number in it comes from there. */
public final class Page {

    private final Result result;
    private final String source;
    private final Properties why = new Properties();
    private final StringBuilder page = new StringBuilder();

    private Page(Result result, String source) {
        this.result = result;
        this.source = source;
        try (Reader reader = new InputStreamReader(
                Objects.requireNonNull(Page.class.getResourceAsStream("why.properties")), StandardCharsets.UTF_8)) {
            why.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes {@code benchmarks.md}.
     *
     * @param source name of the result file
     * @param docs the folder of the page
     */
    public static void write(Result result, String source, Path docs) {
        try {
            Files.createDirectories(docs);
            Files.writeString(docs.resolve("benchmarks.md"), new Page(result, source).text());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The page alone. */
    static String text(Result result, String source) {
        return new Page(result, source).text();
    }

    private String text() {
        page.append("""
                # Benchmarks

                <!-- Made by ./mvnw -Pbench from the result file: do not edit. -->

                Made by `./mvnw -Pbench` from [%1$s](../%1$s); `-Dquick` takes a few minutes and leaves this page alone, \
                `-Donly=ID,…` measures some sections anew, and `-Dpage` makes the page anew from the last result file.

                Every system under test is a process of its own on loopback; servers and load run in the harness. What is \
                compared is interleaved in one run; numbers are medians of the rounds after a warm-up. Processor time is user \
                and system time of the whole process (from `/proc`), compiler and garbage collector included: it is what \
                ranks, as wall clocks swing on shared machines.

                """.formatted(source));
        table(new Table("The run", List.of("", ""),
                result.run().entrySet().stream().map(entry -> List.<Object> of(entry.getKey(), entry.getValue())).toList()));
        page.append("## Targets\n\n");
        targets(result.sections().stream().flatMap(section -> section.targets().stream()).toList());
        for (Section section : result.sections()) {
            page.append("## ").append(section.title()).append("\n\n").append(section.text().strip()).append("\n\n");
            if (!section.measured().isEmpty()) {
                page.append("Measured ").append(section.measured()).append(".\n\n");
            }
            section.tables().forEach(this::table);
        }
        return page.toString().strip() + "\n";
    }

    private void targets(List<Target> targets) {
        page.append("| what | wanted | measured | |\n|---|---|---|---|\n");
        for (Target target : targets) {
            page.append("| ").append(target.what()).append(" | ").append(target.atMost() ? "at most " : "at least ")
                    .append(number(target.bound())).append(" | ").append(number(target.measured())).append(" | ")
                    .append(target.isMet() ? "met" : "**missed**").append(" |\n");
        }
        page.append('\n');
        List<Target> missed = targets.stream().filter(target -> !target.isMet()).toList();
        if (!missed.isEmpty()) {
            page.append("Missed, and why:\n\n");
            page.append(missed.stream().map(target -> "- **" + target.what() + "**: "
                    + why.getProperty(target.id(), "not yet understood.")).collect(Collectors.joining("\n"))).append("\n\n");
        }
    }

    private void table(Table table) {
        if (!table.title().isEmpty()) {
            page.append("**").append(table.title()).append("**\n\n");
        }
        page.append("| ").append(String.join(" | ", table.columns())).append(" |\n|")
                .append("---|".repeat(table.columns().size())).append('\n');
        for (List<Object> row : table.rows()) {
            page.append("| ").append(row.stream().map(Page::cell).collect(Collectors.joining(" | "))).append(" |\n");
        }
        page.append('\n');
    }

    private static String cell(Object cell) {
        return cell instanceof Number number ? number(number.doubleValue()) : String.valueOf(cell).replace("|", "\\|");
    }

    /** Three digits that mean something, thousands grouped. */
    private static String number(double value) {
        double size = Math.abs(value);
        if (size >= 100 || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : size >= 0.1 ? "%.3f" : "%.4f", value);
    }
}
