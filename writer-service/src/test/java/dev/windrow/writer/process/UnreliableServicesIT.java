package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Exchange.Cancellation;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultPlan.FaultMix;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.local.fault.ProxiedRequest;
import dev.windrow.local.fault.SqsFaults;
import dev.windrow.table.AwsLimits;

/**
 * Writers whose messages come more than once, to more than one of them, whose requests and answers are lost, late or refused,
 * and whose credentials expire in the middle of their work.
 */
@Timeout(900)
class UnreliableServicesIT {

    private static final int TIMES = 3;
    private static final int EVENTS = 4_000;
    private static final int SETS = 3;

    @AutoClose
    private static LocalAws aws;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
    }

    @Tag("slow")
    @Test
    void countsExactly_whenEveryMessageComesThreeTimes() {
        // given
        try (WriterSite site = WriterSite.open(aws, "redelivery", WriterSite.VISIBILITY)) {
            Redelivery redelivery = new Redelivery(TIMES, site.random, site::redeliver);
            List<WriterSlot> slots = List.of(site.slot(), site.slot());
            CompletableFuture<WriterSlot> victim = new KillMoment("UpdateItem", 40, true).arm(slots);
            // Before they start: a receive that is under way would not be noted.
            slots.forEach(slot -> slot.sqs().use(redelivery.to(slot.options().name())));
            slots.forEach(WriterSlot::start);
            slots.forEach(slot -> slot.process().awaitReady());

            // when one of the writers is killed meanwhile
            List<String> messages = site.traffic.messages(3_000);
            site.queue.sendAll(messages);
            await().atMost(WriterSite.LIMIT).until(victim::isDone);
            victim.join().start();
            site.awaitDrained();

            // then
            assertThat(redelivery.messages()).isEqualTo(messages.size());
            assertThat(redelivery.leastDeliveries()).isGreaterThanOrEqualTo(TIMES);
            assertThat(redelivery.shared()).as("messages that went to both writers").isPositive();
            assertThat(redelivery.twins()).as("messages twice in one receive").isPositive();
            site.requireExact();
        }
    }

    @Tag("long")
    @Test
    void countsExactly_whenAWriterSleepsLongerThanItsMessagesAreHidden() {
        // given: a writer in the middle of its work
        try (WriterSite site = WriterSite.open(aws, "paused", WriterSite.VISIBILITY)) {
            WriterSlot sleeper = site.slot();
            WriterSlot other = site.slot();
            CompletableFuture<Void> busy = new CompletableFuture<>();
            CompletableFuture<Void> awake = new CompletableFuture<>();
            sleeper.dynamoDb().use(hang(busy, awake));
            site.send(2_000);
            sleeper.start();
            await().atMost(WriterSite.LIMIT).until(busy::isDone);

            // when: it sleeps, and its claim is on its way, until another has done all its work
            sleeper.process().pause();
            other.start();
            site.awaitDrained();
            sleeper.process().resume();
            awake.complete(null);

            // then: it finds that all is done
            await("duplicates").atMost(WriterSite.LIMIT).until(() -> sleeper.process().duplicates() > 0);
            site.send(500);
            site.awaitDrained();
            sleeper.process().terminate();
            sleeper.process().awaitExit(WriterSite.LIMIT);
            site.requireExact();
        }
    }

    @Tag("long")
    @Test
    void countsExactly_whenTheTablesAnswersAreLost() {
        requireExact("lost-answers", "cut-after", (slot, random) -> {
            slot.dynamoDb().use(UnreliableNetwork.ofTheTable(random));
            return slot.dynamoDb();
        });
    }

    @Tag("long")
    @Test
    void countsExactly_whenReceivesAndDeletesAreLost() {
        requireExact("lost-deletes", "entries-fail", (slot, random) -> {
            slot.sqs().use(UnreliableNetwork.ofDeletes(random).or(UnreliableNetwork.ofReceives(random)));
            return slot.sqs();
        });
    }

    private static void requireExact(String name, String fault, BiFunction<WriterSlot, Random, FaultProxy> network) {
        // given
        try (WriterSite site = WriterSite.open(aws, name, WriterSite.VISIBILITY)) {
            WriterSlot slot = site.slot();
            FaultProxy proxy = network.apply(slot, site.random);

            // when
            site.send(EVENTS);
            slot.start();
            site.awaitDrained();

            // then
            assertThat(proxy.audit().faults(fault)).isPositive();
            site.requireExact();
        }
    }

    @Tag("long")
    @Test
    void countsExactly_whenCredentialsExpire() {
        // given
        try (CredentialsEndpoint credentials = new CredentialsEndpoint(Clock.systemUTC());
                WriterSite site = WriterSite.open(aws, "credentials", WriterSite.VISIBILITY)) {
            WriterSlot slot = site.slot();
            slot.dynamoDb().use(credentials.refuse(DynamoDbFaults.expiredToken()));
            slot.sqs().use(credentials.refuse(SqsFaults.expiredToken()));
            slot.use(slot.options().without("quarkus.dynamodb.aws.credentials")
                    .without("quarkus.sqs.aws.credentials")
                    .withEnvironment("AWS_CONTAINER_CREDENTIALS_FULL_URI", credentials.address().toString()));
            slot.start().awaitReady();

            // when
            await("several sets of credentials").atMost(WriterSite.LIMIT).until(() -> {
                site.send(200);
                return credentials.used() > SETS && slot.dynamoDb().audit().faults("ExpiredTokenException") > 0;
            });
            site.awaitDrained();

            // then
            site.requireExact();
        }
    }

    /** Holds claims until released; they are applied while their writer does not listen. */
    private static FaultPlan hang(CompletableFuture<Void> reached, CompletableFuture<Void> release) {
        FaultPlan plan = request -> {
            reached.complete(null);
            return new Fault.Hang(release);
        };
        return plan.onlyFor("TransactWriteItems");
    }

    /** Random faults between a writer and its servers; about a third of the requests meet one. */
    static final class UnreliableNetwork {

        private static final Duration LATE = Duration.ofMillis(300);

        private UnreliableNetwork() {
        }

        /** For writes: applied and lost, lost and not applied, late, throttled whole and by item, refused with 500. */
        static FaultPlan ofTheTable(Random random) {
            return new FaultMix(random).share(0.06, new Fault.CutAfter()).share(0.03, new Fault.CutBefore())
                    .share(0.04, new Fault.DelayAfter(LATE))
                    .share(0.03, new Fault.DelayBefore(LATE, new Fault.CutAfter()))
                    .share(0.04, DynamoDbFaults.throughputExceeded()).share(0.02, DynamoDbFaults.throttled())
                    .share(0.04, DynamoDbFaults.internalServerError())
                    .share(0.03, DynamoDbFaults.transactionCanceled(Cancellation.THROTTLED, random))
                    .share(0.03, DynamoDbFaults.transactionCanceled(Cancellation.THROUGHPUT_EXCEEDED, random))
                    .share(0.03, DynamoDbFaults.transactionCanceled(Cancellation.CONFLICT, random))
                    .onlyFor("TransactWriteItems", "UpdateItem", "PutItem");
        }

        /** For receives: messages that nobody gets, and that come again later. */
        static FaultPlan ofReceives(Random random) {
            return new FaultMix(random).share(0.05, new Fault.CutAfter()).share(0.05, new Fault.CutBefore())
                    .share(0.05, SqsFaults.internalError()).onlyFor("ReceiveMessage");
        }

        /** For deletes: whole and partial failures, done and lost, throttled. */
        static FaultPlan ofDeletes(Random random) {
            return new FaultMix(random).share(0.3, SqsFaults.entriesFail(random, 0.5))
                    .share(0.1, SqsFaults.entriesFail(random, 1)).share(0.1, SqsFaults.internalError())
                    .share(0.1, new Fault.CutAfter()).share(0.05, new Fault.CutBefore())
                    .share(0.05, SqsFaults.throttled()).onlyFor("DeleteMessageBatch");
        }
    }

    /**
     * Hands out credentials the way a container's host does: the same until new ones are due, as the SDK requests them at
     * nearly each use once the end is near. They are revoked a little before, so that each set ends while requests are under
     * way.
     */
    private static final class CredentialsEndpoint implements AutoCloseable {

        /** From then on the SDK does without the old ones. */
        private static final Duration UNUSED_BEFORE_EXPIRY = Duration.ofMinutes(1);
        private static final Duration USED_FOR = Duration.ofSeconds(5);
        private static final Duration RENEWED_AFTER = Duration.ofSeconds(4);
        private static final Duration VALID_FOR = Duration.ofSeconds(3);
        private static final String ACCESS_KEY = "windrow";

        private final Clock clock;
        private final HttpServer server;
        private final Set<String> seen = ConcurrentHashMap.newKeySet();
        private Instant issued = Instant.EPOCH;

        CredentialsEndpoint(Clock clock) {
            this.clock = clock;
            try {
                server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            server.createContext("/credentials", exchange -> {
                byte[] body = credentials().getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
        }

        /** The value of AWS_CONTAINER_CREDENTIALS_FULL_URI. */
        URI address() {
            return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/credentials");
        }

        FaultPlan refuse(Fault expired) {
            return request -> isRevoked(request) ? expired : new Fault.Pass();
        }

        int used() {
            return seen.size();
        }

        private boolean isRevoked(ProxiedRequest request) {
            String key = request.accessKeyId();
            seen.add(key);
            Instant issuedAt = Instant.ofEpochMilli(Long.parseLong(key.substring(ACCESS_KEY.length())));
            return clock.instant().isAfter(issuedAt.plus(VALID_FOR));
        }

        private synchronized String credentials() {
            Instant now = clock.instant();
            if (now.isAfter(issued.plus(RENEWED_AFTER))) {
                issued = now;
            }
            return """
                    {"AccessKeyId":"%s","SecretAccessKey":"secret","Token":"token","Expiration":"%s"}
                    """.formatted(ACCESS_KEY + issued.toEpochMilli(), issued.plus(USED_FOR).plus(UNUSED_BEFORE_EXPIRY));
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    /**
     * A queue that delivers every message several times: a delete is confirmed but forgotten, and the message comes again at
     * once, as SQS's documentation warns; some messages are even twice in one receive, under two receipt handles. Shared by
     * the proxies of several writers.
     */
    private static final class Redelivery {

        /** A handle of the second copy in one receive; the queue itself does not know it. */
        private static final String TWIN = "~twin";

        private final int times;
        private final RandomGenerator random;
        private final Consumer<String> redeliver;
        private final Map<String, String> messageOfHandle = new HashMap<>();
        private final Map<String, Integer> deliveries = new HashMap<>();
        private final Map<String, Set<String>> receivers = new HashMap<>();
        private int twins;

        /**
         * @param times how often each message is delivered at least
         * @param redeliver shows the message of a receipt handle again; it must not block
         */
        Redelivery(int times, RandomGenerator random, Consumer<String> redeliver) {
            this.times = times;
            this.random = random;
            this.redeliver = redeliver;
        }

        FaultPlan to(String writer) {
            return request -> switch (request.operation()) {
                case "ReceiveMessage" -> new Fault.Reshape("redelivery", body -> body, body -> received(writer, body));
                case "DeleteMessageBatch" -> forgetful(request.body().deepCopy(), true);
                case "ChangeMessageVisibilityBatch" -> forgetful(request.body().deepCopy(), false);
                default -> new Fault.Pass();
            };
        }

        synchronized int leastDeliveries() {
            return deliveries.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        }

        synchronized int messages() {
            return deliveries.size();
        }

        synchronized long shared() {
            return receivers.values().stream().filter(writers -> writers.size() > 1).count();
        }

        synchronized int twins() {
            return twins;
        }

        private synchronized ObjectNode received(String writer, ObjectNode answer) {
            ArrayNode messages = answer.withArray("/Messages");
            int asReceived = messages.size();
            for (int i = 0; i < asReceived; i++) {
                ObjectNode message = (ObjectNode) messages.get(i);
                String id = message.path("MessageId").asText();
                String handle = message.path("ReceiptHandle").asText();
                messageOfHandle.put(handle, id);
                receivers.computeIfAbsent(id, key -> new HashSet<>()).add(writer);
                deliveries.merge(id, 1, Integer::sum);
                if (random.nextBoolean() && messages.size() < AwsLimits.QUEUE_BATCH) {
                    messages.add(message.deepCopy().put("ReceiptHandle", handle + TWIN));
                    twins++;
                }
            }
            return answer;
        }

        private synchronized Fault forgetful(ObjectNode reduced, boolean delete) {
            List<String> forgotten = new ArrayList<>();
            for (Iterator<JsonNode> entries = reduced.path("Entries").iterator(); entries.hasNext();) {
                JsonNode entry = entries.next();
                String handle = entry.path("ReceiptHandle").asText();
                boolean again = delete && deliveries.getOrDefault(messageOfHandle.get(handle), times) < times;
                if (again) {
                    redeliver.accept(handle);
                }
                if (again || handle.endsWith(TWIN)) {
                    forgotten.add(entry.path("Id").asText());
                    entries.remove();
                }
            }
            return reduced.path("Entries").isEmpty()
                    ? new Fault.Answer("forgotten", 200, Map.of(), confirmed(JsonNodeFactory.instance.objectNode(), forgotten))
                    : new Fault.Reshape("forgotten", body -> reduced, answer -> confirmed(answer, forgotten));
        }

        private static ObjectNode confirmed(ObjectNode answer, List<String> forgotten) {
            answer.withArray("/Failed");
            ArrayNode successful = answer.withArray("/Successful");
            forgotten.forEach(id -> successful.addObject().put("Id", id));
            return answer;
        }
    }
}
