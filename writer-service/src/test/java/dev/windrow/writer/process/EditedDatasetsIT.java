package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;

/** A rolling deployment of edited datasets: new writers start beside old ones. */
class EditedDatasetsIT {

    private static final Pattern FINGERPRINT = Pattern.compile("windrow\\.writer\\.accept-datasets=(\\w+)");

    /** Threads of clients that end with the process may log at any moment, so one start shows little. */
    private static final int STARTS = 5;

    @TempDir
    Path folder;

    @Tag("slow")
    @Test
    void newWritersAreRefusedUntilTheChangeIsAcceptedWhileOldOnesGoOn() throws IOException {
        // given
        Path edited = Files.writeString(folder.resolve("edited.yaml"),
                Traffic.DATASETS.replace("[hour, day]", "[minute, hour, day]"));
        try (LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());
                WriterSite site = WriterSite.open(aws, "edited", WriterSite.VISIBILITY)) {
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
            assertThat(old.start().awaitExit(WriterSite.LIMIT)).isNotZero();
        }
    }
}
