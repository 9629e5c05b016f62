package dev.windrow.gather.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.model.ForgetfulProfile;
import dev.windrow.gather.model.GatherClient;
import dev.windrow.gather.model.World;
import dev.windrow.testing.GeneratedCases;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** The same questions in PromQL about datasets that forget. */
@QuarkusTest
@TestProfile(PrometheusRetentionTest.OwnTable.class)
@Tag("slow")
@Tag("prometheus")
class PrometheusRetentionTest {

    /** Other tests delete what has expired by their time. */
    public static class OwnTable extends ForgetfulProfile {
    }

    private static final int QUESTIONS = GeneratedCases.count("windrow.prometheus.questions", 40, 400);
    private static final int TIMES = 10;
    private static final int FIRST_NUMBER = 1_000_000;

    @TestHTTPResource("/")
    URI service;

    /**
     * So each step of a range is what an instant query at its time answers, though older ones are read from coarser buckets.
     */
    @Test
    void everyQuestionIsAnsweredAsByAModelThatForgets() {
        RandomGenerator random = World.random(8);
        List<String> wrong = new ArrayList<>();
        ForgetfulProfile.NOW.set(ForgetfulProfile.BEGIN);
        for (int time = 0; time < TIMES; time++) {
            ForgetfulProfile.NOW.updateAndGet(now -> now.plusSeconds(random.nextLong(8 * 86_400)));
            int from = FIRST_NUMBER + time * QUESTIONS / TIMES;
            for (String failure : PrometheusModelTest.wrong(new GatherClient(service), from, from + QUESTIONS / TIMES,
                    ForgetfulProfile.NOW.get(), World.FORGETFUL)) {
                wrong.add("at " + ForgetfulProfile.NOW.get() + " " + failure);
            }
        }
        assertThat(wrong).isEmpty();
    }
}
