package dev.windrow.writer.operate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Durations;
import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.DatasetShape;
import dev.windrow.event.TenantNames;
import dev.windrow.table.Label;
import dev.windrow.table.Lane;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.table.DynamoTable;
import dev.windrow.writer.table.JournalItems;
import io.quarkus.runtime.configuration.DurationConverter;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Deletes the buckets of a tenant, of a label, or of all labels with a value. Claims that writers have not applied yet would
 * create items again, so each pass begins only when every lane has applied its claims, and passes repeat until one finds
 * nothing. Items of the journal are never touched. Not thread-safe.
 */
final class Erase {

    /** Each pass finds items written during the previous one. More are needed only if events to erase keep coming. */
    private static final int MAX_PASSES = 20;
    private static final Duration POLL = Duration.ofSeconds(5);
    /** Few enough to wait for no connection on a slow machine. */
    private static final int CONCURRENT_READS = 8;
    /** Wait for requests in flight: one may still arrive after its writer has timed out. */
    private static final Duration IN_FLIGHT = DynamoTable.TIMEOUT.multipliedBy(2);

    private final DynamoDbAsyncClient dynamoDb;
    private final String table;
    private final Arguments arguments;
    private final TableSweep sweep;
    private final CommandTime time;
    private final RepeatedRequests requests;
    private final SweepCounts deleted = new SweepCounts();
    private final SweepCounts unreadable = new SweepCounts();

    Erase(DynamoDbAsyncClient dynamoDb, String table, Arguments arguments, double unitsPerSecond, CommandTime time) {
        this.dynamoDb = dynamoDb;
        this.table = table;
        this.arguments = arguments;
        this.sweep = new TableSweep(dynamoDb, table, unitsPerSecond, time);
        this.time = time;
        this.requests = new RepeatedRequests(table, time);
    }

    static String run(CommandSettings settings, List<String> words) {
        // A native executable decodes its arguments as UTF-8, but its encoding property dates from the build.
        boolean executable = System.getProperty("org.graalvm.nativeimage.imagecode") != null;
        Arguments arguments = Arguments.parse(words, executable ? "UTF-8" : System.getProperty("sun.jnu.encoding", "UTF-8"));
        try (DynamoDbAsyncClient dynamoDb = settings.dynamoDb()) {
            String done = new Erase(dynamoDb, settings.table(), arguments, settings.checked(SweepConfig.class).maxUnits(),
                    CommandTime.SYSTEM).run();
            return arguments.dryRun ? done : done + copies(settings.journalRetention(), Instant.now());
        }
    }

    /** Lists where copies of the erased data remain. */
    private static String copies(Duration retention, Instant now) {
        return """

                copies remain in
                  records of the journal: until %s (windrow.writer.journal.retention, here %s, and a day), \
                and the days until DynamoDB gets to them
                  the queue and the dead-letter queue: as long as they keep messages; a replayed dead letter counts again
                  datasets whose label does not have the value: their sums, for ever
                  caches of gatherers, clients and proxies: an hour
                  logs, backups and exports: as you configured them""".formatted(
                now.plus(retention).plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.MINUTES), Durations.text(retention));
    }

    /**
     * @throws IllegalArgumentException if the table has no such dataset or attribute
     * @throws IllegalStateException if a lane does not apply its claims within the longest wait, or items to erase keep being
     *         written
     */
    String run() {
        List<Selected> selected = arguments.isWholeTenant() ? List.of() : selected();
        if (arguments.dryRun) {
            pass(selected);
            List<String> behind = readLanes().values().stream().map(lane -> behind(lane, lane)).flatMap(Optional::stream)
                    .toList();
            return counts("would be deleted") + (behind.isEmpty() ? ""
                    : "%nwriters are still applying claims, so the command may delete more: ".formatted()
                            + String.join(", ", behind));
        }
        for (int passes = 1; passes <= MAX_PASSES; passes++) {
            List<String> behind = awaitAppliedLanes();
            if (!behind.isEmpty()) {
                throw new IllegalStateException(counts("deleted") + ", but writers may create such items still: "
                        + String.join(", ", behind) + ", after " + Durations.text(arguments.longestWait)
                        + ". See that writers run, that the table takes their writes, and that no lane is abandoned; then run "
                        + "the command again, if need be with a longer wait");
            }
            // A pass that resumes a stopped command has not seen the items before that point, so it never is the last.
            if (pass(selected)) {
                return counts("deleted");
            }
        }
        throw new IllegalStateException("%s; but each of %d passes found more: stop the events that count in them, "
                .formatted(counts("deleted"), MAX_PASSES) + "and run the command again");
    }

    /** Waits until all lanes have applied their claims, as writers may create items until then. Returns those still behind. */
    private List<String> awaitAppliedLanes() {
        Map<Integer, Lane> noted = readLanes();
        long startNanos = time.nanos();
        for (Map<Integer, Lane> now = noted;; now = readLanes()) {
            Map<Integer, Lane> latest = now;
            List<String> behind = noted.values().stream()
                    .map(lane -> behind(lane, latest.getOrDefault(lane.number(), lane))).flatMap(Optional::stream).toList();
            Duration left = arguments.longestWait.minusNanos(time.nanos() - startNanos);
            if (!behind.isEmpty() && (left.isNegative() || left.isZero())) {
                return behind;
            }
            if (behind.isEmpty()) {
                time.pause(IN_FLIGHT);
                return behind;
            }
            time.pause(left.compareTo(POLL) < 0 ? left : POLL);
        }
    }

    private Map<Integer, Lane> readLanes() {
        Map<Integer, Lane> lanes = new TreeMap<>();
        for (int first = 0; first < Lane.MAX_LANES; first += CONCURRENT_READS) {
            Map<Integer, CompletableFuture<Lane>> sent = new TreeMap<>();
            IntStream.range(first, Math.min(first + CONCURRENT_READS, Lane.MAX_LANES))
                    .forEach(number -> sent.put(number, readLane(number)));
            sent.forEach((number, read) -> {
                Lane lane = requests.repeated(read, () -> readLane(number));
                if (lane.epoch() > 0 || !lane.isReadable()) {
                    lanes.put(number, lane);
                }
            });
        }
        return lanes;
    }

    private CompletableFuture<Lane> readLane(int number) {
        return dynamoDb.getItem(get -> get.tableName(table).consistentRead(true)
                .key(JournalItems.key(TableSchema.lanePartitionKey(number), TableSchema.LANE_SK)))
                .thenApply(found -> JournalItems.lane(number, found.item()));
    }

    /** Says what keeps a lane from having applied all records it had at first; empty if it has applied them. */
    private static Optional<String> behind(Lane noted, Lane now) {
        String lane = "lane " + noted.number() + (now.holder().isEmpty() ? "" : " (held by " + now.holder() + ")");
        long last = noted.position();
        if (!now.isReadable() || !noted.isReadable()) {
            return Optional.of(lane + " cannot be read (" + (now.isReadable() ? noted : now).damage() + ")");
        }
        if (now.applied() < last) {
            return Optional.of(lane + " is applied up to position " + now.applied() + " of " + last);
        }
        if (now.deferred() > now.applied()) {
            // A later record holds what buckets lack of the earlier ones.
            return Optional.of(lane + " has put off additions that items have not taken");
        }
        boolean parked = now.parkings().stream().anyMatch(parking -> !parking.sent() && parking.first() <= last);
        return parked ? Optional.of(lane + " has additions to send to the dead-letter queue") : Optional.empty();
    }

    private String counts(String what) {
        String counts = what + " of tenant " + arguments.tenant + ": " + deleted;
        return unreadable.isEmpty() ? counts
                : counts + "%nleft alone, as the table does not say what their labels consist of: ".formatted() + unreadable;
    }

    /** Returns the datasets registered by writers that have the label or attribute. */
    private List<Selected> selected() {
        SortedMap<String, DatasetShape> registered = new TreeMap<>();
        new RegistryItem(dynamoDb, table, TableSchema.DATASETS_SK).read().forEach((attribute, shape) -> TableSchema
                .registeredDataset(attribute).ifPresent(name -> registered.put(name, DatasetShape.parse(shape.s()))));
        if (registered.isEmpty()) {
            throw new IllegalArgumentException(
                    "table " + table + ": no writer has used it yet, so it does not say what labels consist of");
        }
        if (arguments.dataset != null && !registered.containsKey(arguments.dataset)) {
            throw new IllegalArgumentException("dataset: table " + table + " has no dataset '" + arguments.dataset
                    + "'; it has " + registered.keySet());
        }
        String attribute = arguments.attribute;
        List<Selected> selected = new ArrayList<>();
        registered.forEach((name, shape) -> {
            NavigableMap<Integer, String> values = new TreeMap<>();
            if (attribute == null) {
                IntStream.range(0, arguments.label.size()).forEach(place -> values.put(place, arguments.label.get(place)));
            } else if (shape.label().contains(attribute)) {
                values.put(shape.label().indexOf(attribute), arguments.value);
            }
            if (!values.isEmpty() && (arguments.dataset == null || arguments.dataset.equals(name))) {
                selected.add(new Selected(arguments.tenant, name, shape, values));
            }
        });
        if (selected.isEmpty()) {
            throw new IllegalArgumentException("attribute: expected one of the labels in table " + table + ", "
                    + registered.entrySet().stream().filter(known -> arguments.dataset == null
                            || known.getKey().equals(arguments.dataset))
                            .map(known -> known.getKey() + " " + known.getValue().label())
                            .collect(Collectors.joining(", "))
                    + ", found '" + attribute + "'");
        }
        selected.forEach(Selected::requireLabel);
        return selected;
    }

    /** Runs one pass; returns whether it covered everything and found nothing. */
    private boolean pass(List<Selected> selected) {
        unreadable.clear();
        Deletions deletions = new Deletions(selected);
        if (!arguments.scan && !selected.isEmpty() && selected.stream().allMatch(Selected::isInPartitionKeys)) {
            selected.stream().flatMap(dataset -> dataset.partitionKeys().stream()).forEach(key -> sweep.query(key, deletions));
            return deletions.found == 0;
        }
        SweepProgress progress = arguments.dryRun ? null : progress(dynamoDb, table, arguments);
        SweepPass pass = sweep.scan(List.of(), progress, deletions);
        return pass.whole() && deletions.found == 0;
    }

    static SweepProgress progress(DynamoDbAsyncClient dynamoDb, String table, Arguments arguments) {
        return new SweepProgress(dynamoDb, table, "erase", arguments.task());
    }

    /** Deletes the selected items, or only counts them. */
    private final class Deletions implements ItemVisitor {

        private final Map<String, Selected> selected;
        private long found;

        /** @param selected empty for all items of the tenant */
        Deletions(List<Selected> selected) {
            this.selected = selected.stream().collect(Collectors.toMap(Selected::dataset, one -> one));
        }

        @Override
        public Optional<ItemChange> change(Map<String, AttributeValue> item) {
            String key = TableSweep.text(item, TableSchema.PK);
            if (!key.startsWith(arguments.tenant + KeyCodec.SEPARATOR)
                    || !isSelected(key, TableSweep.text(item, TableSchema.SK))) {
                return Optional.empty();
            }
            found++;
            ItemChange delete = new ItemChange.Delete();
            if (arguments.dryRun) {
                changed(item, delete);
                return Optional.empty();
            }
            return Optional.of(delete);
        }

        @Override
        public void changed(Map<String, AttributeValue> item, ItemChange delete) {
            deleted.add(SeriesKey.dataset(TableSweep.text(item, TableSchema.PK)));
        }

        private boolean isSelected(String partitionKey, String sortKey) {
            if (selected.isEmpty()) {
                return true;
            }
            Selected dataset = selected.get(SeriesKey.dataset(partitionKey));
            if (dataset == null) {
                return false;
            }
            Optional<List<String>> label = dataset.label(partitionKey, sortKey);
            if (label.isEmpty()) {
                unreadable.add(dataset.dataset);
            }
            return label.isPresent() && dataset.matches(label.get());
        }
    }

    /** Selects labels of a dataset by required values at positions of the label. */
    private record Selected(String tenant, String dataset, DatasetShape shape, NavigableMap<Integer, String> values) {

        void requireLabel() {
            if (shape.label().size() <= values.lastKey()) {
                throw new IllegalArgumentException("label: expected at most " + shape.label().size()
                        + " values, as dataset " + dataset + " has the label " + shape.label() + ", found " + values.size());
            }
        }

        /** Whether all label values of the partition key are given. */
        boolean isInPartitionKeys() {
            return IntStream.range(0, shape.partition()).allMatch(values::containsKey);
        }

        /** Returns the keys in all key shards that the dataset may ever have had. */
        List<String> partitionKeys() {
            Label label = new Label(List.copyOf(values.headMap(shape.partition(), false).values()));
            return IntStream.range(0, Dataset.MAX_KEY_SHARDS)
                    .mapToObj(keyShard -> new SeriesKey(tenant, dataset, label, keyShard).partitionKey()).toList();
        }

        /** Returns the label of an item; empty if its number of values differs from the dataset's. */
        Optional<List<String>> label(String partitionKey, String sortKey) {
            try {
                List<String> first = KeyCodec.decode(partitionKey);
                List<String> last = KeyCodec.decode(sortKey);
                List<String> label = new ArrayList<>(first.subList(2, first.size() - 1));
                label.addAll(last.subList(2, last.size()));
                return label.size() == shape.label().size() ? Optional.of(label) : Optional.empty();
            } catch (IllegalArgumentException | IndexOutOfBoundsException other) {
                return Optional.empty();
            }
        }

        boolean matches(List<String> label) {
            return values.entrySet().stream().allMatch(value -> label.get(value.getKey()).equals(value.getValue()));
        }
    }

    /**
     * What to erase.
     *
     * @param dataset name of a dataset; null for all
     * @param attribute an attribute of the label; null for a whole tenant or with {@code label}
     * @param label the first values of a label of {@code dataset}
     * @param dryRun whether items are only counted
     * @param scan whether to read the whole table even if the keys are known
     */
    record Arguments(String tenant, @Nullable String dataset, @Nullable String attribute, String value, List<String> label,
            boolean dryRun, boolean scan, Duration longestWait) {

        private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);
        private static final List<String> NAMES = List.of("attribute", "value", "dataset", "label", "tenant", "dry-run",
                "scan", "wait");
        private static final int LAST_ASCII = 0x7F;

        /**
         * Reads a command line.
         *
         * @param encoding the encoding with which the platform decoded the words
         * @throws IllegalArgumentException the message says which argument is wrong and what is expected
         */
        static Arguments parse(List<String> words, String encoding) {
            Map<String, String> given = new HashMap<>();
            List<String> label = new ArrayList<>();
            for (String word : words) {
                int equals = word.indexOf('=');
                String name = equals < 0 ? word : word.substring(0, equals);
                if (equals < 0 || !NAMES.contains(name)) {
                    throw new IllegalArgumentException(
                            "expected name=value, the name one of " + NAMES + ", found '" + name + "'");
                }
                String value = word.substring(equals + 1);
                if (!encoding.equalsIgnoreCase("UTF-8") && value.chars().anyMatch(c -> c > LAST_ASCII)) {
                    throw new IllegalArgumentException(name + ": characters beyond ASCII arrive garbled in the character set "
                            + encoding + ": set the environment variable LC_ALL to C.UTF-8");
                }
                if (name.equals("label")) {
                    label.add(value);
                } else if (given.put(name, value) != null) {
                    throw new IllegalArgumentException(name + ": given twice, leave one out");
                }
            }
            Arguments arguments = new Arguments(given.getOrDefault("tenant", TenantNames.DEFAULT), given.get("dataset"),
                    given.get("attribute"), given.getOrDefault("value", ""), label, flag("dry-run", given),
                    flag("scan", given), longestWait(given.get("wait")));
            arguments.require(given);
            return arguments;
        }

        /** Identifies what to erase, without options such as the wait. */
        String task() {
            return Stream.of(tenant, dataset, attribute, value, label).map(String::valueOf).collect(Collectors.joining("#"));
        }

        /** Whether to erase all data of the tenant. */
        boolean isWholeTenant() {
            return attribute == null && label.isEmpty();
        }

        private void require(Map<String, String> given) {
            if (given.containsKey("attribute") != given.containsKey("value")) {
                throw new IllegalArgumentException(given.containsKey("value")
                        ? "attribute: missing; name the attribute that has the value"
                        : "value: missing; give the value of attribute '" + attribute + "' to erase");
            }
            if (attribute != null && !label.isEmpty()) {
                throw new IllegalArgumentException("attribute and label exclude each other: leave one out");
            }
            if (!label.isEmpty() && dataset == null) {
                throw new IllegalArgumentException("dataset: missing; name the dataset of the label");
            }
            if (isWholeTenant() && dataset != null) {
                throw new IllegalArgumentException(
                        "label: missing; give label=… once for each of the label's first values in dataset '"
                                + dataset + "', or attribute=… and value=…");
            }
            if (isWholeTenant() && !given.containsKey("tenant")) {
                throw new IllegalArgumentException("say what to erase: attribute=… value=…, or dataset=… label=…, or "
                        + "tenant=… for all of a tenant");
            }
            if (!TenantNames.isValid(tenant)) {
                throw new IllegalArgumentException("tenant: expected " + TenantNames.EXPECTED + ", found '" + tenant + "'");
            }
        }

        private static boolean flag(String name, Map<String, String> given) {
            String text = given.getOrDefault(name, "false");
            if (text.equals("true") || text.equals("false")) {
                return text.equals("true");
            }
            throw new IllegalArgumentException(name + ": expected true or false, found '" + text + "'");
        }

        private static Duration longestWait(@Nullable String text) {
            try {
                Duration wait = text == null ? LONGEST_WAIT : new DurationConverter().convert(text);
                if (wait != null && !wait.isNegative()) {
                    return wait;
                }
            } catch (IllegalArgumentException noDuration) {
                // Rejected below, like a negative duration.
            }
            throw new IllegalArgumentException("wait: expected a duration such as 15m, found '" + text + "'");
        }
    }
}
