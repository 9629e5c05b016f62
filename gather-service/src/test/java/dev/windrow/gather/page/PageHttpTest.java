package dev.windrow.gather.page;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.http.RawHttp;
import dev.windrow.gather.page.PageRoutes.PageConfig;
import dev.windrow.gather.page.PageRoutes.PageProvider;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** The page and its files as served to any client. */
@QuarkusTest
class PageHttpTest {

    private static final int MAX_COMPRESSED_BYTES = 120_000;
    private static final Map<String, String> MEDIA_TYPES = Map.of("js", "text/javascript;charset=UTF-8", "css",
            "text/css;charset=UTF-8", "svg", "image/svg+xml");
    private static final Path FILES = Path.of("src/main/resources/page");
    private static final Pattern ADDRESS = Pattern.compile("(?:href|src)=\"(page/[^\"]+)\"");

    private static final Optional<String> SERVER = Optional.of("http://keycloak.internal/realms/counting");

    @Test
    void thePageAllowsNothingButItsOwnFilesAndTheApi() {
        Response page = given().header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8").get("/");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.contentType()).isEqualTo("text/html;charset=UTF-8");
        assertThat(page.header("Content-Security-Policy").split("; ")).contains("default-src 'none'", "script-src 'self'",
                "style-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'");
        assertThat(page.header("Content-Security-Policy")).doesNotContain("unsafe", "*", "http");
        assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(page.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(page.asString()).doesNotContain("@version@", "@oidc@", "oidc", "<style", " style=", "http://", "https://")
                .doesNotContainPattern("<script(?![^>]* src=)").doesNotContainPattern(" on[a-z]+=");
    }

    @Test
    void thePageIsValidated() {
        Response page = given().get("/");

        assertThat(page.header("Cache-Control")).isEqualTo("no-cache");
        assertThat(given().header("If-None-Match", page.header("ETag")).get("/").statusCode()).isEqualTo(304);
        assertThat(given().header("If-None-Match", "\"other\"").get("/").statusCode()).isEqualTo(200);
    }

    @Test
    void itsFilesAreNamedByItKeptAndAsInTheSources() throws IOException {
        List<String> named = new ArrayList<>();
        for (String address : addresses()) {
            Response file = given().get("/" + address);
            assertThat(file.statusCode()).as(address).isEqualTo(200);
            assertThat(file.header("Cache-Control")).as(address).isEqualTo("public, max-age=31536000, immutable");
            assertThat(file.header("X-Content-Type-Options")).as(address).isEqualTo("nosniff");
            assertThat(file.contentType()).as(address)
                    .isEqualTo(MEDIA_TYPES.get(address.substring(address.lastIndexOf('.') + 1)));
            String name = address.substring(address.lastIndexOf('/') + 1);
            if (!name.startsWith("uplot.")) {
                named.add(name);
                assertThat(file.asByteArray()).as(name).isEqualTo(Files.readAllBytes(FILES.resolve(name)));
            }
        }

        try (Stream<Path> files = Files.list(FILES)) {
            assertThat(named).containsExactlyInAnyOrderElementsOf(files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("index.html")).toList());
        }
    }

    @Test
    void allOfItIsCompressedAndSmall() {
        RawHttp http = new RawHttp();
        int total = 0;

        for (String target : Stream.concat(Stream.of("/"), addresses().stream().map("/"::concat)).toList()) {
            RawHttp.Answer answer = http.get(target, "Accept-Encoding: gzip");
            assertThat(answer.header("Content-Encoding")).as(target).hasValue("gzip");
            assertThat(answer.header("Vary")).as(target).hasValueSatisfying(
                    vary -> assertThat(vary).isEqualToIgnoringCase("accept-encoding"));
            total += answer.head().length() + answer.body().length();
        }

        assertThat(total).as("bytes with headers").isLessThan(MAX_COMPRESSED_BYTES);
        assertThat(http.get("/").header("Content-Encoding")).isEmpty();
    }

    @Test
    void headSaysTheSameWithoutTheBody() {
        for (String target : List.of("/", "/" + addresses().get(0))) {
            Response head = given().head(target);

            assertThat(head.statusCode()).as(target).isEqualTo(200);
            assertThat(head.contentType()).as(target).isEqualTo(given().get(target).contentType());
            assertThat(head.asByteArray()).as(target).isEmpty();
        }
    }

    @Test
    void otherPathsAreStillProblems() {
        for (String path : List.of("/page", "/page/", "/page/main.js", "/index.html", "/page/0000000000000000/main.js",
                "/" + addresses().get(0) + "x", "/favicon.ico")) {
            Response answer = given().get(path);

            assertThat(answer.statusCode()).as(path).isEqualTo(404);
            assertThat(answer.contentType()).as(path).startsWith("application/problem+json");
        }
        assertThat(given().post("/").contentType()).startsWith("application/problem+json");
    }

    private static List<String> addresses() {
        List<String> addresses = ADDRESS.matcher(given().get("/").asString()).results().map(match -> match.group(1)).toList();
        assertThat(addresses).isNotEmpty();
        return addresses;
    }

    private record Settings(Optional<String> clientId, String scope) implements PageConfig.Oidc {
    }

    private static Optional<PageProvider> provider(@Nullable String clientId, @Nullable String issuer,
            Optional<String> server) {
        return PageProvider.of(new Settings(Optional.ofNullable(clientId), "openid \"<&"), Optional.ofNullable(issuer), server);
    }

    @Test
    void thereIsNoneWithoutAClient() {
        assertThat(provider(null, null, SERVER)).isEmpty();
    }

    @Test
    void itsOriginIsWhatBrowsersReach() {
        assertThat(provider("page", null, SERVER).orElseThrow().origin()).isEqualTo("http://keycloak.internal");
        assertThat(provider("page", "any", SERVER).orElseThrow().origin()).isEqualTo("http://keycloak.internal");
        assertThat(provider("page", "https://login.example:8443/realms/counting", SERVER).orElseThrow().origin())
                .isEqualTo("https://login.example:8443");
    }

    @Test
    void settingsDoNotBecomeMarkup() {
        assertThat(provider("\"><script>", null, SERVER).orElseThrow().element())
                .isEqualTo("<meta name=\"oidc\" data-issuer=\"http://keycloak.internal/realms/counting\" "
                        + "data-client-id=\"&quot;>&lt;script>\" data-scope=\"openid &quot;&lt;&amp;\">\n");
    }

    @ParameterizedTest
    @ValueSource(strings = { "login.example", "ftp://login.example", "https:/login", "https://login.example?a=b",
            "https://login.example#a", "https://login example" })
    void anIssuerIsAnAddress(String issuer) {
        assertThatThrownBy(() -> provider("page", issuer, SERVER)).isInstanceOfSatisfying(InvalidInputException.class,
                failure -> assertThat(failure.reason()).isEqualTo(Reason.INVALID_SETTING))
                .hasMessageContaining("quarkus.oidc.token.issuer");
    }

    @Test
    void aClientNeedsAnIssuer() {
        assertThatThrownBy(() -> provider("page", null, Optional.empty()))
                .hasMessageContaining("quarkus.oidc.auth-server-url: set it to the provider's URL");
    }
}
