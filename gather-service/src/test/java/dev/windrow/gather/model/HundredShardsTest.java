package dev.windrow.gather.model;

import java.net.URI;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import io.quarkus.test.common.http.TestHTTPResource;

/** What tests of faults share: a dataset of a hundred shards, a client, and the proxy before the table. */
abstract class HundredShardsTest {

    @TestHTTPResource("/")
    URI service;

    FaultProxy proxy;

    final ModelDataset dataset = World.dataset("hundred");
    final String granularity = dataset.index().get(0);
    GatherClient client;

    @BeforeEach
    void connect() {
        client = new GatherClient(service);
    }

    @AfterEach
    void heal() {
        proxy.use(FaultPlan.none());
    }
}
