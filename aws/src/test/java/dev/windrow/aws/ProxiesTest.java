package dev.windrow.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.aws.Proxies.Proxy;
import dev.windrow.base.InvalidInputException;

class ProxiesTest {

    private static final URI DYNAMODB = URI.create("https://dynamodb.eu-central-1.amazonaws.com");

    @Test
    void withoutVariablesThereIsNoProxy() {
        assertThat(Proxies.none().to(DYNAMODB)).isEmpty();
        assertThat(proxies(Map.of("HTTPS_PROXY", " ")).to(DYNAMODB)).isEmpty();
    }

    @Test
    void eachSchemeHasItsProxyAndLowerCaseComesFirst() {
        Proxies proxies = proxies(Map.of("HTTPS_PROXY", "http://upper:1", "https_proxy", "http://lower:2",
                "HTTP_PROXY", "plain:3"));

        assertThat(proxies.to(DYNAMODB)).hasValue(new Proxy("lower", 2, null, null));
        assertThat(proxies.to(URI.create("HTTPS://dynamodb.test"))).hasValue(new Proxy("lower", 2, null, null));
        assertThat(proxies.to(URI.create("http://dynamodb.test:8000"))).hasValue(new Proxy("plain", 3, null, null));
        assertThat(proxies(Map.of("HTTP_PROXY", "http://plain:3")).to(DYNAMODB)).isEmpty();
    }

    @Test
    void userAndPasswordAreDecodedAndNotPrinted() {
        Proxy proxy = proxies(Map.of("HTTPS_PROXY", "http://us%3Aer:p%40ss+%25@proxy.test:3128/")).to(DYNAMODB)
                .orElseThrow();

        assertThat(proxy).isEqualTo(new Proxy("proxy.test", 3128, "us:er", "p@ss+%"));
        assertThat(proxy.toString()).doesNotContain("p@ss");
    }

    @Test
    void thePortIsThatOfHttpIfThereIsNone() {
        assertThat(proxies(Map.of("HTTPS_PROXY", "http://proxy.test")).to(DYNAMODB))
                .hasValue(new Proxy("proxy.test", 80, null, null));
    }

    @ParameterizedTest
    @ValueSource(strings = { "https://secret@proxy:1", "socks5://secret@proxy:1", "http://", "http://pro xy",
            "http://secret%zz@p:1" })
    void aProxyOfAnotherKindIsAnErrorThatNamesTheVariableAndKeepsThePassword(String url) {
        assertThatThrownBy(() -> proxies(Map.of("https_proxy", url))).isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("HTTPS_PROXY: expected http://").hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @CsvSource({
            "*, dynamodb.eu-central-1.amazonaws.com, true",
            "amazonaws.com, dynamodb.eu-central-1.amazonaws.com, true",
            ".amazonaws.com, dynamodb.eu-central-1.amazonaws.com, true",
            "AMAZONAWS.com., amazonaws.COM, true",
            "amazonaws.com, notamazonaws.com, false",
            "amazonaws.com, amazonaws.com.test, false",
            "'a.test, b.test', b.test, true",
            "'a.test b.test', x.b.test, true",
            "10.1.2.3, 10.1.2.3, true",
            "10.1.2.3, 10.1.2.30, false",
            "10.0.0.0/8, 10.1.2.3, false",
            "fd00::1, [fd00::1], true",
            "[FD00::1], [fd00::1], true",
            "fd00::1, [fd00::11], false",
            "'', localhost, true",
            "'', my.localhost, true",
            "'', 127.0.0.1, true",
            "'', 127.8.8.8, true",
            "'', [::1], true",
            "'', 169.254.169.254, true",
            "'', 169.254.170.23, true",
            "'', [fd00:ec2::254], true",
            "'', [fe80::1], true",
            "'', example.org, false",
            "'', 128.0.0.1, false",
    })
    void hostsWithoutAProxy(String variable, String host, boolean direct) {
        Proxies proxies = proxies(Map.of("HTTPS_PROXY", "http://proxy:1", "NO_PROXY", variable));

        assertThat(proxies.to(URI.create("https://" + host + ":8443")).isEmpty()).isEqualTo(direct);
    }

    @Test
    void aBundleWithoutCertificatesIsAnErrorThatNamesTheSetting(@TempDir Path folder) throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");
        Path wrong = Files.writeString(folder.resolve("wrong.pem"), "-----BEGIN CERTIFICATE-----\nx\n");

        for (Path bundle : new Path[] { empty, wrong, folder.resolve("missing.pem") }) {
            assertThatThrownBy(() -> NetworkSettings.of(name -> Optional.empty(), Optional.of(bundle)))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("windrow.aws.ca-bundle: expected a file of PEM certificates")
                    .hasMessageContaining(bundle.getFileName().toString());
        }
    }

    private static Proxies proxies(Map<String, String> environment) {
        return Proxies.of(name -> Optional.ofNullable(environment.get(name)));
    }
}
