package dev.windrow.gather.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.windrow.gather.render.CacheHeaders.EntityTags;

class EntityTagsTest {

    @Test
    void theSameAnswerAtAnotherMomentHasTheSameTag() {
        assertThat(tag("{\"items\":[1],\"asOf\":\"2026-11-20T10:00:00Z\",\"complete\":true}"))
                .isEqualTo(tag("{\"items\":[1],\"asOf\":\"2026-11-20T10:00:01.5Z\",\"complete\":true}"));
    }

    @Test
    void whateverElseDiffersMakesAnotherTag() {
        String answer = "{\"items\":[1],\"asOf\":\"2026-11-20T10:00:00Z\",\"complete\":true}";

        assertThat(tag(answer)).isNotEqualTo(tag(answer.replace("[1]", "[2]")))
                .isNotEqualTo(tag(answer.replace("true", "false")));
        assertThat(tag("{\"items\":[1]}")).isNotEqualTo(tag("{\"items\":[2]}"));
        assertThat(tag("")).hasSize(16);
    }

    private static String tag(String answer) {
        return EntityTags.of(answer.getBytes(UTF_8));
    }
}
