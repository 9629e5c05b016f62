package dev.windrow.gather.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.security.ApiKeys.ApiKey;

class ApiKeysFileTest {

    private static final String TWO_KEYS = """
            windrow:
              api-keys:
                dashboard:
                  # of the text: correct horse
                  sha256: "4104D36F8DA2C254349F85836793EBE029E0C957063A34C91C2E9203187B5631"
                  tenant: acme
                nightly:
                  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                  tenant: default
            """;

    @Test
    void aKeyIsFoundByItsHashOnly() {
        ApiKeys keys = ApiKeys.parse(TWO_KEYS);

        assertThat(keys.find("test")).map(ApiKey::client).contains("nightly");
        assertThat(keys.find("test")).map(ApiKey::tenant).contains("default");
        assertThat(keys.find("correct horse")).map(ApiKey::tenant).contains("acme");
        assertThat(keys.find("Test")).isEmpty();
        assertThat(keys.find("")).isEmpty();
        assertThat(keys.find("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "windrow: {} | windrow.api-keys",
            "windrow: {api-keys: {}} | windrow.api-keys",
            "windrow: {api-keys: {a: secret-text}} | windrow.api-keys.a",
            "windrow: {api-keys: {a: {sha256: secret-text, tenant: t}}} | windrow.api-keys.a.sha256",
            "windrow: {api-keys: {a: {key: secret-text, tenant: t}}} | windrow.api-keys.a.key",
            "windrow: {api-keys: {a: {sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'}}} "
                    + "| windrow.api-keys.a.tenant",
            "'\"secret-text' | the file",
    })
    void anErrorInTheFileNamesItsFieldAndNeverItsValue(String yaml, String field) {
        assertThatThrownBy(() -> ApiKeys.parse(yaml))
                .isInstanceOfSatisfying(InvalidInputException.class, wrong -> {
                    assertThat(wrong.reason()).isEqualTo(Reason.INVALID_API_KEYS);
                    assertThat(wrong.field()).isEqualTo(field);
                })
                .hasMessageContaining("expected")
                .hasMessageNotContaining("secret-text");
    }

    @Test
    void aFileThatCannotBeReadIsNamed() {
        assertThatThrownBy(() -> ApiKeys.read(Path.of("no", "such.yaml"))).hasMessageContaining("such.yaml");
    }
}
