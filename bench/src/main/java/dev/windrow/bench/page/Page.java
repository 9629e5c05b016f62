package dev.windrow.bench.page;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

import dev.windrow.bench.page.Section.Plot;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;

/** Makes the page and its plots from a result file: every number in it comes from there. */
public final class Page {

    private static final String PLOTS = "benchmarks";

    private final Result result;
    private final String source;
    private final Optional<Result> before;
    private final Properties why = new Properties();
    private final StringBuilder page = new StringBuilder();

    private Page(Result result, String source, Optional<Result> before) {
        this.result = result;
        this.before = before;
        this.source = source;
        try (Reader reader = new InputStreamReader(
                Objects.requireNonNull(Page.class.getResourceAsStream("why.properties")), StandardCharsets.UTF_8)) {
            why.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes {@code benchmarks.md} and the plots.
     *
     * @param source the result file's name as the page tells it
     * @param before an earlier result to compare with
     * @param docs the folder of the page
     */
    public static void write(Result result, String source, Optional<Result> before, Path docs) {
        try {
            Files.createDirectories(docs.resolve(PLOTS));
            Files.writeString(docs.resolve("benchmarks.md"), new Page(result, source, before).text());
            for (Section section : result.sections()) {
                for (Plot plot : section.plots()) {
                    Files.writeString(docs.resolve(PLOTS).resolve(plot.id() + ".svg"), SvgPlot.draw(plot));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The page alone. */
    static String text(Result result, String source) {
        return new Page(result, source, Optional.empty()).text();
    }

    private String text() {
        page.append("# Benchmarks\n\n<!-- Made by ./mvnw -Pbench from the result file: do not edit. -->\n\n")
                .append("Made by `./mvnw -Pbench` from [").append(source).append("](../").append(source)
                .append("); `-Dquick` takes a few minutes and leaves this page alone, `-Donly=ID,…` ")
                .append("measures some sections anew, and `-Dpage` makes the page anew ")
                .append("from the last result file.\n\n")
                .append("Every system under test is a process of its own on loopback; servers and load run in the harness. ")
                .append("What is compared is interleaved in one run; numbers are medians of the rounds after a warm-up. ")
                .append("Processor time is user and system time of the whole process (from `/proc`), compiler and garbage ")
                .append("collector included: it is what ranks, as wall clocks swing on shared machines.\n\n");
        table(new Table("The run", List.of("", ""),
                result.run().entrySet().stream().map(entry -> List.<Object> of(entry.getKey(), entry.getValue())).toList()));
        page.append("## Targets\n\n");
        targets(result.sections().stream().flatMap(section -> section.targets().stream()).toList());
        before.ifPresent(this::beforeAndAfter);
        for (Section section : result.sections()) {
            page.append("## ").append(section.title()).append("\n\n").append(section.text().strip()).append("\n\n");
            if (!section.measured().isEmpty()) {
                page.append("Measured ").append(section.measured()).append(".\n\n");
            }
            section.tables().forEach(this::table);
            for (Plot plot : section.plots()) {
                page.append("![").append(plot.title()).append("](").append(PLOTS).append('/').append(plot.id())
                        .append(".svg)\n\n");
            }
        }
        return page.toString().strip() + "\n";
    }

    private void targets(List<Target> targets) {
        page.append("| what | wanted | measured | |\n|---|---|---|---|\n");
        for (Target target : targets) {
            page.append("| ").append(target.what()).append(" | ").append(target.atMost() ? "at most " : "at least ")
                    .append(Format.number(target.bound())).append(" | ").append(Format.number(target.measured())).append(" | ")
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

    private void beforeAndAfter(Result earlier) {
        page.append("## Before and after\n\nBefore the work that the profiles led to, measured ")
                .append(earlier.run().getOrDefault("date", "at an unknown time"))
                .append(" by the same harness, and now. What changed is told in the changelog and in ADR 0014.\n\n");
        table(new Table("Targets", List.of("what", "before", "now"), BeforeAndAfter.targets(earlier, result)));
        BeforeAndAfter.profiles(earlier, result).forEach(this::table);
    }

    private void table(Table table) {
        if (!table.title().isEmpty()) {
            page.append("**").append(table.title()).append("**\n\n");
        }
        page.append("| ").append(String.join(" | ", table.columns())).append(" |\n|")
                .append("---|".repeat(table.columns().size())).append('\n');
        for (List<Object> row : table.rows()) {
            page.append("| ").append(row.stream().map(Format::cell).collect(Collectors.joining(" | "))).append(" |\n");
        }
        page.append('\n');
    }
}
