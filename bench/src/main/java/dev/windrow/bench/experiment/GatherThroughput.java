package dev.windrow.bench.experiment;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.process.ProcessorTime;
import dev.windrow.bench.stats.Numbers;

/** Answers per second under several clients. */
final class GatherThroughput implements Experiment {

    private static final int WIDTH = 100;
    private static final List<Integer> CLIENTS = List.of(1, 16, 64);

    @Override
    public String id() {
        return "throughput";
    }

    @Override
    public Section run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        try (GatherStage stage = new GatherStage(lab, List.of(WIDTH))) {
            load(stage, 16, Duration.ofSeconds(lab.amount(40)));
            for (int clients : CLIENTS) {
                rows.add(load(stage, clients, Duration.ofSeconds(lab.amount(10))));
                lab.progress("%s", rows.get(rows.size() - 1));
            }
        }
        return new Section(id(), "Gatherer: throughput", """
                Clients that query `/buckets` of 100 shards repeatedly, each waiting for its answer; a server that answers
                in 4 ms. Each answer needs 100 queries, which the harness serves: where it uses more CPU per answer
                than the gatherer, the servers are what bounds the throughput.
                """, List.of(new Table("", List.of("clients", "answers/s", "median ms", "p99 ms",
                "ms of gatherer's CPU per answer", "ms of harness's CPU per answer"), rows)), List.of());
    }

    private static List<Object> load(GatherStage stage, int clients, Duration span) {
        Duration gatherer = ProcessorTime.of(stage.gatherer().pid());
        Duration harness = ProcessorTime.own();
        long start = System.nanoTime();
        List<CompletableFuture<List<Double>>> all = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            all.add(CompletableFuture.supplyAsync(() -> client(stage.buckets(WIDTH), start + span.toNanos()),
                    client -> new Thread(client, "client").start()));
        }
        List<Double> micros = all.stream().flatMap(client -> client.join().stream()).toList();
        double seconds = (System.nanoTime() - start) / 1e9;
        return List.of(clients, micros.size() / seconds, Numbers.median(micros) / 1e3, Numbers.percentile(micros, 99) / 1e3,
                ProcessorTime.of(stage.gatherer().pid()).minus(gatherer).toNanos() / 1e6 / micros.size(),
                ProcessorTime.own().minus(harness).toNanos() / 1e6 / micros.size());
    }

    private static List<Double> client(URI address, long end) {
        List<Double> micros = new ArrayList<>();
        try (RawHttp http = new RawHttp(address.getPort())) {
            do {
                micros.add(http.micros(address));
            } while (System.nanoTime() - end < 0);
        }
        return micros;
    }
}
