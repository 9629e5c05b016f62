package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.testing.Patience;

/** A writer that is terminated by SIGTERM, as by an orchestrator. */
class SigtermExitIT {

    private static final Duration GRACE = Patience.LIMIT;

    @Tag("slow")
    @Test
    void exitsWithZero_whenTerminated() {
        // given
        try (LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());
                WriterSite site = WriterSite.open(aws, "normal-stop", WriterSite.VISIBILITY)) {
            Traffic traffic = new Traffic(new Random(1));
            site.send(traffic.messages(200));
            WriterProcess writer = site.slot().start().awaitReady();
            site.awaitDrained();

            // when
            writer.terminate();

            // then: a supervisor sees no failure, and nothing was left behind
            assertThat(writer.awaitExit(GRACE)).as("exit code, see %s", writer).isZero();
            assertThat(writer.log()).contains("drained; SQS will redeliver returned messages: messages=0");
            assertThat(site.stored()).isEqualTo(traffic.expected());
        }
    }
}
