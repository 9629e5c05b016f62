package dev.windrow.gather.http;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.windrow.base.SettingRange;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;

/** Limits of one request. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow.gather.api")
public interface ApiConfig {

    /** Maximum {@code limit} of a page. A page of a request without it has 100 items, or this many if they are fewer. */
    @SettingRange(unit = "items", min = "1")
    @WithDefault("10000")
    int maxLimit();

    /** Maximum number of buckets in a series. */
    @SettingRange(unit = "buckets", min = "1")
    @WithDefault("10000")
    int maxPoints();

    /** Maximum number of labels that a top list is picked from. All of them are held in memory. */
    @SettingRange(unit = "labels", min = "1")
    @WithDefault("1000000")
    int maxLabels();

    /** Query deadline if the request has no {@code timeout}. */
    @SettingRange(above = "0s", max = "windrow.gather.api.max-timeout")
    @WithDefault("10s")
    Duration defaultTimeout();

    /** Maximum {@code timeout} of a request. Liveness fails when queries are overdue by twice this. */
    @SettingRange(above = "0s")
    @WithDefault("30s")
    Duration maxTimeout();

    /**
     * Without authentication, further names by which clients may address the service, such as those of an Ingress or a load
     * balancer. IP addresses, names without dots, and names below {@code localhost}, {@code internal}, {@code svc} and
     * {@code svc.cluster.local} are always allowed. Requests to other names are rejected, because a web page could send them
     * through a visitor's browser.
     */
    @SettingRange(unit = "names of hosts without scheme and port, such as counting.example.com or *.example.com", //
            pattern = "(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*")
    Optional<List<String>> allowedHosts();

    /** Maximum number of live streams. */
    @SettingRange(unit = "clients", min = "0")
    @WithDefault("100")
    @WithName("live.max-clients")
    int maxClients();

    /** Maximum number of values, series times steps, of a PromQL query. All of them are held in memory. */
    @SettingRange(unit = "values", min = "1")
    @WithDefault("500000")
    @WithName("prometheus.max-samples")
    int maxSamples();
}
