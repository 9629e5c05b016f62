package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Line;
import dev.windrow.bench.page.Section.Plot;
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
        Line line = new Line("/buckets, 100 shards", new ArrayList<>(), new ArrayList<>());
        try (GatherStage stage = new GatherStage(lab, Service.GATHERER, List.of(WIDTH))) {
            load(stage, 16, Duration.ofSeconds(lab.amount(40)));
            for (int clients : CLIENTS) {
                Load load = load(stage, clients, Duration.ofSeconds(lab.amount(10)));
                rows.add(List.of(clients, load.perSecond, Numbers.median(load.micros) / 1e3,
                        Numbers.percentile(load.micros, 99) / 1e3, load.cpuMillis, load.harnessMillis));
                line.x().add((double) clients);
                line.y().add(load.perSecond);
            }
        }
        return new Section(id(), "Gatherer: throughput", """
                Clients that ask for `/buckets` of 100 shards again and again, each waiting for its answer; a server that
                answers in 4 ms. Each answer needs 100 queries, which the harness serves: where it uses more CPU per answer
                than the gatherer, the servers are what bounds the throughput.
                """, List.of(new Table("", List.of("clients", "answers/s", "median ms", "p99 ms",
                "ms of gatherer's CPU per answer", "ms of harness's CPU per answer"), rows)),
                List.of(new Plot("gather-throughput", "Answers per second", "clients", "answers/s", List.of(line))), List.of());
    }

    private record Load(double perSecond, List<Double> micros, double cpuMillis, double harnessMillis) {
    }

    private static Load load(GatherStage stage, int clients, Duration span) {
        AtomicBoolean ended = new AtomicBoolean();
        List<Double> micros = Collections.synchronizedList(new ArrayList<>());
        AtomicLong answers = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        long own = ProcessorTime.of(stage.gatherer().pid()).toNanos();
        long harness = ProcessorTime.of(ProcessHandle.current().pid()).toNanos();
        long begin = System.nanoTime();
        for (int i = 0; i < clients; i++) {
            Thread thread = new Thread(() -> {
                try (RawHttp http = new RawHttp(stage.port())) {
                    while (!ended.get()) {
                        micros.addAll(GatherStage.time(http, stage.buckets(WIDTH), 1));
                        answers.incrementAndGet();
                    }
                }
            }, "client-" + i);
            threads.add(thread);
            thread.start();
        }
        Wait.pause(span);
        ended.set(true);
        threads.forEach(GatherThroughput::join);
        double seconds = (System.nanoTime() - begin) / 1e9;
        double count = Math.max(1, answers.get());
        return new Load(count / seconds, List.copyOf(micros),
                (ProcessorTime.of(stage.gatherer().pid()).toNanos() - own) / 1e6 / count,
                (ProcessorTime.of(ProcessHandle.current().pid()).toNanos() - harness) / 1e6 / count);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
