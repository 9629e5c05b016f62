package dev.windrow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

class HostNamesTest {

    private final HostNames names = new HostNames(List.of("Counting.example.com", "*.apps.example.com"));

    @Test
    void addressesPrivateNamesAndThoseThatAreSetAreAllowed() {
        assertThat(List.of("localhost", "LOCALHOST:8080", "localhost.", "page.localhost", "page.localhost.", "127.0.0.1",
                "10.1.2.3:8080", "[::1]",
                "[fd00::1]:80", "windrow-gather", "windrow-gather.counting.svc",
                "windrow-gather.counting.svc.cluster.local.:80",
                "host.docker.internal", "counting.example.com", "COUNTING.example.com:443", "a.apps.example.com",
                "a.b.apps.example.com.")).allMatch(names::isAllowed);
    }

    @Test
    void otherNamesAreNot() {
        assertThat(List.of("evil.example", "evil.example:8080", "evil.example.", "evil.svc.cluster.example", "example.com",
                "x.counting.example.com", "counting.example.com.evil.example",
                "apps.example.com", "evilapps.example.com", "localhost.evil.example", "127.0.0.1.evil.example", "1.2.3.4.5",
                "evilsvc.example", "svc.cluster.local.evil.example", "user@localhost", "localhost/evil.example", "a b", "[",
                "localhost:8080:evil.example", "localhost,evil.example", ".", ":80")).noneMatch(names::isAllowed);
    }
}
