package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

/**
 * The table of values in the chart's README is made from values.yaml. With {@code -Dwindrow.write=true} this test writes it
 * anew instead of comparing.
 */
class ReadmeTest {

    private static final Path README = WindrowChart.FOLDER.resolve("README.md");
    private static final String BEGIN = "<!-- values: made from values.yaml -->\n";
    private static final String END = "<!-- end of values -->\n";

    @Test
    void theTableOfValuesIsThatOfTheValuesFile() throws IOException {
        String readme = Files.readString(README);
        int begin = readme.indexOf(BEGIN) + BEGIN.length();
        int end = readme.indexOf(END);
        String table = ValuesTable.of(Files.readString(WindrowChart.FOLDER.resolve("values.yaml")));

        if (Boolean.getBoolean("windrow.write")) {
            Files.writeString(README, readme.substring(0, begin) + table + readme.substring(end));
        } else {
            assertThat(readme.substring(begin, end)).as("write it anew with -Dtest=ReadmeTest -Dwindrow.write=true")
                    .isEqualTo(table);
        }
    }
}
