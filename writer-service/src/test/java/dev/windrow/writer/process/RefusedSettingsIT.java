package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;

/** A process with a setting that it cannot use ends, and says why; the last line is the pod's termination message. */
@Tag("slow")
class RefusedSettingsIT {

    @AutoClose
    private static LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());

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
}
