package dev.windrow.gather.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.http.RawHttp;
import dev.windrow.gather.http.RawHttp.Answer;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** A page of another origin that uses a gatherer with keys. */
@QuarkusTest
@Tag("slow")
@TestProfile(ApiKeyApiTest.WithKeys.class)
class CorsTest {

    private static final String PAGE = ApiKeyApiTest.PAGE;
    private static final String KEY = "acme-0123456789abcdef0123456789abcdef";
    private static final String QUESTION = "/api/v1/datasets/clicks/totals?label=a";

    @TestHTTPResource("/")
    URI base;

    @Test
    void thePreflightNeedsNoKeyAndAllowsOne() {
        Answer preflight = preflight(PAGE);

        assertThat(preflight.status()).as(preflight.toString()).isEqualTo(200);
        assertThat(preflight.header("Access-Control-Allow-Origin")).hasValue(PAGE);
        assertThat(preflight.header("Access-Control-Allow-Methods").orElse("")).contains("GET");
        assertThat(preflight.header("Access-Control-Allow-Headers").orElse("").toLowerCase(java.util.Locale.ROOT))
                .contains("x-api-key");
        assertThat(preflight.body()).isEmpty();
    }

    @Test
    void theQuestionNeedsTheKey() {
        RawHttp http = new RawHttp(base.getPort());

        Answer answered = http.get(QUESTION, "Origin: " + PAGE, "X-API-Key: " + KEY);
        Answer refused = http.get(QUESTION, "Origin: " + PAGE);

        assertThat(answered.status()).as(answered.toString()).isEqualTo(200);
        assertThat(answered.header("Access-Control-Allow-Origin")).hasValue(PAGE);
        assertThat(answered.header("Access-Control-Expose-Headers").orElse("")).contains("ETag", "Link", "Retry-After");
        assertThat(answered.header("Vary").orElse("")).as("it names the origin").contains("Origin");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.isProblem()).as(refused.toString()).isTrue();
        assertThat(refused.header("Access-Control-Allow-Origin")).as("so that the page can read the problem").hasValue(PAGE);
    }

    @Test
    void otherPagesAreRefused() {
        Answer preflight = preflight("https://elsewhere.example");
        Answer refused = new RawHttp(base.getPort()).get(QUESTION, "Origin: https://elsewhere.example",
                "X-API-Key: " + KEY);

        assertThat(preflight.header("Access-Control-Allow-Origin")).isEmpty();
        assertThat(refused.header("Access-Control-Allow-Origin")).isEmpty();
        assertThat(refused.status()).as(refused.toString()).isEqualTo(403);
        assertThat(refused.body()).as("no page may read it").isEmpty();
    }

    private Answer preflight(String origin) {
        return new RawHttp(base.getPort()).request("OPTIONS", QUESTION, "", "Origin: " + origin,
                "Access-Control-Request-Method: GET", "Access-Control-Request-Headers: x-api-key");
    }
}
