package dev.windrow.bench.experiment;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.process.Child;
import dev.windrow.bench.process.ProcessorTime;
import dev.windrow.bench.stats.Numbers;
import dev.windrow.bench.wire.DynamoDbServer;
import dev.windrow.bench.wire.SqsServer;

/** Time to the first answer, and memory. */
final class StartUp implements Experiment {

    private static final double MEGABYTE = 1 << 20;

    @Override
    public String id() {
        return "startup";
    }

    @Override
    public Section run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        try (SqsServer sqs = SqsServer.start(lab.vertx());
                DynamoDbServer dynamoDb = DynamoDbServer.start(lab.vertx(), DynamoDbServer.Options.unlimited())) {
            sqs.queue("windrow-events", 30_000);
            sqs.queue("windrow-events-dlq", 30_000);
            List<String> properties = List.of(DatasetFile.clicks(10, "exactly-once").property(lab.work()),
                    "-Dquarkus.sqs.endpoint-override=" + sqs.endpoint(),
                    "-Dquarkus.dynamodb.endpoint-override=" + dynamoDb.endpoint());
            for (Service service : Service.values()) {
                if (service.isThere(lab.root())) {
                    rows.add(measure(lab, service, properties));
                } else {
                    rows.add(List.of(service.title(), "not built", "", "", ""));
                }
            }
        }
        return new Section(id(), "Start-up and memory", """
                From the start of the process until `/q/health/ready` first answers 200 (looked at every 10 ms), processor
                time until then, and resident memory then. The JVM has a heap of at most 512 MB. The native executables are
                measured where `-Dnative` has built them.
                """,
                List.of(new Table("", List.of("service", "ms to first answer", "spread", "ms of CPU", "resident MB"), rows)),
                List.of(), List.of());
    }

    private static List<Object> measure(Lab lab, Service service, List<String> properties) {
        List<Double> millis = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        List<Double> resident = new ArrayList<>();
        for (int round = 0; round < lab.rounds(); round++) {
            int port = Ports.free();
            long begin = System.nanoTime();
            try (Child child = lab.service("startup-" + service.title(), service, port, properties)) {
                URI ready = Lab.ready(port);
                child.awaitOk(ready, Duration.ofMillis(10));
                millis.add((System.nanoTime() - begin) / 1e6);
                cpu.add(ProcessorTime.of(child.pid()).toNanos() / 1e6);
                resident.add(ProcessorTime.residentBytes(child.pid()) / MEGABYTE);
            }
        }
        return List.of(service.title(), Numbers.median(millis),
                String.format(Locale.ROOT, "%.0f%%", 100 * Numbers.spread(millis)), Numbers.median(cpu),
                Numbers.median(resident));
    }
}
