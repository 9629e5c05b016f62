package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;

/** Processes that do not start: each says why, and the last line is the pod's termination message. */
@Tag("slow")
class StartIT {

    private static final Pattern FINGERPRINT = Pattern.compile("windrow\\.writer\\.accept-datasets=(\\w+)");

    /** Threads of clients that end with the process may log at any moment, so one start shows little. */
    private static final int STARTS = 5;

    @AutoClose
    private static LocalAws aws;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "outside; windrow.writer.store.max-concurrency; 0; windrow.writer.store.max-concurrency: expected 1 or more, found 0",
            "missing; windrow.datasets-file; missing.yaml; missing.yaml",
            "removed; windrow.writer.journal.denied-for; 1s; windrow.writer.journal.denied-for" })
    void endTheProcessWithTheReason(String name, String key, String value, String reason) {
        // given
        try (WriterSite site = WriterSite.open(aws, "refused-" + name, WriterSite.VISIBILITY)) {
            WriterSlot slot = site.slot();
            slot.use(slot.options().with(key, value));

            // when
            WriterProcess writer = slot.start();

            // then
            assertThat(writer.awaitExit(WriterSite.LIMIT)).isEqualTo(1);
            assertThat(writer.log().lines().reduce((first, second) -> second)).hasValueSatisfying(
                    last -> assertThat(last).startsWith("not started: ").contains(reason));
            assertThat(writer.log()).doesNotContain("\tat ");
        }
    }

    /** A rolling deployment of edited datasets: new writers start beside old ones. */
    @Test
    void newWritersAreRefusedUntilTheChangeIsAcceptedWhileOldOnesGoOn(@TempDir Path folder) throws IOException {
        // given
        Path edited = Files.writeString(folder.resolve("edited.yaml"),
                Traffic.DATASETS.replace("[hour, day]", "[minute, hour, day]"));
        try (WriterSite site = WriterSite.open(aws, "edited", WriterSite.VISIBILITY)) {
            WriterSlot old = site.slot();
            old.start().awaitReady();

            // when
            WriterSlot changed = site.slot();
            changed.use(changed.options().with("windrow.datasets-file", edited));
            WriterProcess refused = changed.start();

            // then
            assertThat(refused.awaitExit(WriterSite.LIMIT)).isNotZero();
            assertThat(refused.log()).contains("datasets-changed", "clicks: granularities: expected 'hour day'");
            assertThat(old.process().isReady()).isTrue();

            // and the reason is the last line, which becomes the pod's termination message
            for (int start = 0; start < STARTS; start++) {
                assertThat(refused.log().strip().lines().reduce((first, second) -> second).orElseThrow())
                        .startsWith("not started: datasets-changed: datasets: ");
                refused = changed.start();
                refused.awaitExit(WriterSite.LIMIT);
            }

            // and once it is accepted it starts
            Matcher fingerprint = FINGERPRINT.matcher(refused.log());
            assertThat(fingerprint.find()).isTrue();
            changed.use(changed.options().with("windrow.writer.accept-datasets", fingerprint.group(1)));
            changed.start().awaitReady();

            // and the old one is refused when it starts once more
            old.process().terminate();
            WriterProcess again = old.start();
            assertThat(again.awaitExit(WriterSite.LIMIT)).isNotZero();
            assertThat(again.log()).contains("datasets-changed");
        }
    }
}
