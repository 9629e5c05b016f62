package dev.windrow.gather.testing;

import static io.restassured.RestAssured.given;

import java.util.stream.Stream;

import org.eclipse.microprofile.config.ConfigProvider;

import io.restassured.response.Response;

/** The tested service's port for health and metrics. */
public final class ManagementPort {

    private ManagementPort() {
    }

    public static Response get(String path) {
        return given().port(ConfigProvider.getConfig().getValue("quarkus.management.test-port", Integer.class)).get(path);
    }

    public static boolean isReady() {
        return get("/q/health/ready").statusCode() == 200;
    }

    public static Stream<String> metrics() {
        return get("/q/metrics").asString().lines();
    }

    /** The sum of the metrics whose lines begin with one text and contain another; zero if there are none. */
    public static double sum(String beginning, String text) {
        return metrics().filter(line -> line.startsWith(beginning) && line.contains(text))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ')))).sum();
    }
}
