package dev.windrow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

class BillOfMaterialsIT {

    @ParameterizedTest
    @CsvSource({ "writer-service, sqs", "gather-service, dynamodb", "local-aws, DynamoDBLocal" })
    void itNamesTheModuleAndWhatIsInIt(String module, String dependency) throws IOException {
        JsonNode bill = new ObjectMapper().readTree(Images.ROOT.resolve(module).resolve("target/bom.json").toFile());

        assertThat(bill.path("bomFormat").asText()).isEqualTo("CycloneDX");
        assertThat(bill.at("/metadata/component/name").asText()).isEqualTo("windrow-" + module);
        assertThat(bill.path("components")).hasSizeGreaterThan(20);
        assertThat(bill.path("components").findValuesAsText("name")).contains("windrow-common", dependency)
                .doesNotContain("windrow-testing", "junit-jupiter-api", "assertj-core");
    }
}
