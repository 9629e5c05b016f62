package dev.windrow.gather.page;

import static dev.windrow.gather.page.PageData.FROM;
import static dev.windrow.gather.page.PageData.HOSTILE;
import static dev.windrow.gather.page.PageData.PERIOD;
import static dev.windrow.gather.page.PageData.TENANT;
import static dev.windrow.gather.page.PageData.TO;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.FaultyTable;
import dev.windrow.gather.testing.ManagementPort;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.table.Label;
import dev.windrow.testing.Patience;
import dev.windrow.testing.Seeds;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The page in a real browser, every view of it against sums of generated events; skipped where there is no Chromium. */
@QuarkusTest
@Tag("slow")
@QuarkusTestResource(value = FaultyTable.class, restrictToAnnotatedClass = true)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageBrowserTest {

    private static final String RANGE = "last=&from=" + FROM + "&to=" + TO;
    private static final String CLICKS = "dataset=clicks&tenant=" + TENANT + "&" + RANGE + "&granularity=hour";
    private static final String[] PANELS = { "summary", "over-time", "top-referrer", "movers", "week" };

    @TestHTTPResource("/")
    URI base;

    FaultProxy proxy;

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Datasets datasets;

    private final PageData data = new PageData(Seeds.seed("the page"));
    private Chromium chromium;
    private Tab tab;

    @BeforeEach
    void open() {
        assumeTrue(Chromium.installed().isPresent(), Chromium.MISSING);
        if (chromium == null) {
            await().atMost(Patience.LIMIT).until(ManagementPort::isReady);
            data.writeTo(client, datasets);
            chromium = Chromium.start(Chromium.installed().get());
        }
        tab = chromium.tab();
    }

    @AfterEach
    void noScriptFailed() {
        if (tab != null) {
            proxy.use(FaultPlan.none());
            List<String> faults = tab.faults();
            tab.close();
            assertThat(faults).isEmpty();
        }
    }

    @AfterAll
    void close() {
        if (chromium != null) {
            chromium.close();
        }
    }

    private void show(String state, String... complete) {
        tab.go(base + "#" + state);
        tab.awaitState("complete", complete);
    }

    /** Columns of a table, of those that a person sees. */
    private static List<List<String>> columns(List<List<String>> rows, int... columns) {
        return rows.stream().map(row -> Arrays.stream(columns).mapToObj(row::get).toList()).toList();
    }

    @Test
    void everythingOverTimeIsExact() {
        show(CLICKS, PANELS);

        tab.click("#panel-over-time .folded summary");

        await().atMost(Patience.LIMIT).until(() -> tab.has("#panel-over-time .folded table"));
        assertThat(columns(tab.rows("#panel-over-time .folded"), 0, 1, 2)).isEqualTo(PageData.hours(data.period(false)));
        assertThat(tab.text("#panel-over-time .status")).startsWith("Complete, as of ").endsWith(" UTC");
        assertThat(tab.has("#panel-over-time .chart canvas")).isTrue();
        tab.screenshot("page");
    }

    @Test
    void topLabelsHaveTheirSumsAndLines() {
        show(CLICKS, "top-referrer");

        assertThat(columns(tab.rows("#panel-top-referrer"), 0, 2, 3)).isEqualTo(PageData.top(data.period(false), 10));
        assertThat(tab.evaluate("document.querySelectorAll('#panel-top-referrer svg.spark path').length").asInt())
                .isEqualTo(10);
        // The small line of the first has its highest point where its busiest hour is.
        String first = PageData.top(data.period(false), 1).get(0).get(0);
        List<Integer> hours = PageData.hours(data.period(false).stream().filter(click -> click.shown().equals(first)).toList())
                .stream().map(row -> Integer.valueOf(row.get(1))).toList();
        String[] points = tab.evaluate("document.querySelector('#panel-top-referrer svg.spark path').getAttribute('d')")
                .asText()
                .substring(1).split("L", -1);
        double highest = Arrays.stream(points).mapToDouble(point -> Double.parseDouble(point.split(",", -1)[1])).min()
                .orElseThrow();
        int busiest = hours.indexOf(hours.stream().max(Integer::compare).orElseThrow());
        assertThat(points).hasSize(hours.size());
        assertThat(Double.parseDouble(points[busiest].split(",", -1)[1])).isEqualTo(highest);
    }

    @Test
    void anotherMeasureIsRankedAndShown() {
        show(CLICKS, PANELS);

        tab.choose("by", "bytes");

        tab.awaitState("complete", PANELS);
        List<String> byBytes = PageData.by(data.period(false), PageData.Click::shown).entrySet().stream()
                .sorted((a, b) -> new java.math.BigDecimal(PageData.bytes(b.getValue()))
                        .compareTo(new java.math.BigDecimal(PageData.bytes(a.getValue()))))
                .limit(10).map(Map.Entry::getKey).toList();
        await().atMost(Patience.LIMIT).untilAsserted(
                () -> assertThat(columns(tab.rows("#panel-top-referrer"), 0))
                        .isEqualTo(byBytes.stream().map(List::of).toList()));
        assertThat(tab.evaluate("location.hash").asText()).contains("by=bytes");
    }

    @Test
    void aHostileValueIsTextAndFiltersEverything() {
        show(CLICKS, "top-referrer");

        tab.evaluate(
                "[...document.querySelectorAll('#panel-top-referrer button.label')].find((button) => button.textContent === "
                        + "\"" + HOSTILE + "\").click()");

        await().atMost(Patience.LIMIT).until(() -> tab.text("#filters .chips").equals("referrer: " + HOSTILE + " ×"));
        tab.awaitState("complete", PANELS);
        List<PageData.Click> own = data.period(false).stream().filter(click -> click.label().equals(HOSTILE)).toList();
        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(cards()).startsWith(Integer.toString(own.size()), PageData.bytes(own)));
        tab.click("#panel-over-time .folded summary");
        assertThat(columns(tab.rows("#panel-over-time .folded"), 0, 1, 2)).isEqualTo(PageData.hours(own));
        assertThat(columns(tab.rows("#panel-top-referrer"), 0)).containsExactly(List.of(HOSTILE));
        assertThat(tab.evaluate("document.title").asText()).isEqualTo("clicks – Windrow");
        assertThat(tab.evaluate("document.querySelectorAll('main script, main img').length").asInt()).isZero();
        tab.screenshot("filtered");

        tab.click("#filters .chip");
        await().atMost(Patience.LIMIT).until(() -> tab.text("#filters .chips").isEmpty());
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(tab.rows("#panel-top-referrer")).hasSize(10));
    }

    @Test
    void hoursOfTheWeekAreExact() {
        show(CLICKS, "week");

        Map<Integer, List<PageData.Click>> slots = PageData.by(data.period(false), click -> {
            java.time.OffsetDateTime time = click.time().atOffset(ZoneOffset.UTC);
            return (time.getDayOfWeek().getValue() - 1) * 24 + time.getHour();
        });
        List<List<String>> expected = new ArrayList<>();
        for (int day = 0; day < 7; day++) {
            List<String> row = new ArrayList<>(List.of(List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun").get(day)));
            for (int hour = 0; hour < 24; hour++) {
                row.add(Integer.toString(slots.getOrDefault(day * 24 + hour, List.of()).size()));
            }
            expected.add(row);
        }
        assertThat(tab.rows("#panel-week .heat")).isEqualTo(expected);
    }

    /** The totals of all measures, with all digits. */
    private List<String> cards() {
        List<String> values = new ArrayList<>();
        tab.evaluate("[...document.querySelectorAll('#panel-summary .card data')].map((data) => data.value)")
                .forEach(value -> values.add(value.asText()));
        return values;
    }

    @Test
    void thisPeriodIsComparedWithTheOneBefore() {
        show(CLICKS, PANELS);

        int now = data.period(false).size();
        int then = data.period(true).size();
        assertThat(cards()).startsWith(Integer.toString(now), PageData.bytes(data.period(false)));
        assertThat(tab.text("#panel-summary .card .change")).isEqualTo(percent(now - then, then));
        tab.choose("against", "previous");
        await().atMost(Patience.LIMIT).until(() -> tab.has("#panel-over-time .legend"));
        tab.click("#panel-over-time .folded summary");
        await().atMost(Patience.LIMIT).until(() -> tab.has("#panel-over-time .folded table"));
        List<List<String>> overlay = tab.rows("#panel-over-time .folded");
        assertThat(columns(overlay, 0, 1)).isEqualTo(columns(PageData.hours(data.period(false)), 0, 1));
        List<PageData.Click> moved = data.period(true).stream()
                .map(click -> new PageData.Click(click.label(), click.time().plus(PERIOD), click.bytes())).toList();
        assertThat(columns(overlay, 2)).isEqualTo(columns(PageData.hours(moved), 1));
        Map<String, Integer> changes = new java.util.HashMap<>();
        data.period(false).forEach(click -> changes.merge(click.shown(), 1, Integer::sum));
        data.period(true).forEach(click -> changes.merge(click.shown(), -1, Integer::sum));
        int largest = changes.values().stream().mapToInt(Math::abs).max().orElseThrow();
        List<String> mover = tab.rows("#panel-movers").get(0);
        assertThat(Math.abs(Integer.parseInt(mover.get(3)))).isEqualTo(largest);
        assertThat(mover.get(3)).isEqualTo(Integer.toString(changes.get(mover.get(0))));
        tab.screenshot("compared");
    }

    private static String percent(int change, int of) {
        double tenths = Math.rint(1_000.0 * change / of) / 10;
        return (tenths > 0 ? "+" : "") + new java.text.DecimalFormat("0.#",
                java.text.DecimalFormatSymbols.getInstance(java.util.Locale.ENGLISH)).format(tenths) + "%";
    }

    @Test
    void aGranularityThatIsNotStoredIsSummedUp() {
        show(CLICKS.replace("granularity=hour", "granularity=day"), "over-time");

        tab.click("#panel-over-time .folded summary");

        List<PageData.Click> all = data.period(false);
        int first = (int) all.stream().filter(click -> click.time().isBefore(Instant.parse("2026-03-03T00:00:00Z"))).count();
        assertThat(columns(tab.rows("#panel-over-time .folded"), 0, 1)).containsExactly(
                List.of("2026-03-02", Integer.toString(first)), List.of("2026-03-03", Integer.toString(all.size() - first)));
    }

    @Test
    void aMissingShardIsShownAndNotHidden() {
        proxy.use(request -> request.partitionKey().filter(key -> key.endsWith("#3") && key.startsWith(TENANT)).isPresent()
                ? DynamoDbFaults.internalServerError()
                : new Fault.Pass());

        tab.go(base + "#" + CLICKS);

        tab.awaitState("incomplete", PANELS);
        assertThat(tab.text("#panel-over-time .status")).startsWith("Incomplete, as of ").contains("of 10 shards failed")
                .contains("(unavailable)");
        // A comparison of incomplete numbers would mislead: there are only the sums.
        assertThat(tab.evaluate("document.querySelectorAll('#panel-summary .change').length").asInt()).isZero();
        tab.screenshot("incomplete");
    }

    @Test
    void aLateAnswerIsAProblemThatNamesTheDeadline() {
        java.util.concurrent.CompletableFuture<Void> release = new java.util.concurrent.CompletableFuture<>();
        proxy.use(FaultPlan.always(new Fault.Hang(release)));

        tab.go(base + "#" + CLICKS);
        tab.awaitState("loading", PANELS);
        tab.awaitState("problem", "over-time");

        // All panels have the same problem, which is said once.
        tab.awaitState("problem", PANELS);
        assertThat(tab.text("#notice")).contains("(timed-out)");
        assertThat(tab.evaluate("[...document.querySelectorAll('.problem')].filter((one) => one.checkVisibility()).length")
                .asInt()).isZero();
        release.complete(null);
    }

    @Test
    void noDataIsSaid() {
        tab.go(base + "#" + CLICKS.replace("tenant=page", "tenant=nobody"));

        tab.awaitState("empty", PANELS);

        assertThat(tab.text("#panel-top-referrer")).contains("No data in this range.");
        assertThat(tab.has(".extent")).isFalse();

        tab.go(base + "#" + CLICKS.replace("2026-03", "2025-03"));
        tab.awaitState("empty", "summary");
        tab.screenshot("empty");
        tab.click(".extent");
        tab.awaitState("complete", "summary", "over-time");
        assertThat(cards()).startsWith(Integer.toString(data.period(false).size() + data.period(true).size()));
    }

    @Test
    void liveBucketsAppearAsTheyChange() {
        tab.go(base + "#dataset=clicks&tenant=page-live&last=1h");
        tab.awaitState("empty", "over-time");
        tab.choose("refresh", "live");
        tab.awaitState("complete", "live");

        Instant now = Instant.now();
        Aggregated clicks = clicks("page-live");
        clicks.event(Label.of("fresh"), now, "41").event(Label.of("fresh"), now, "1").writeTo(client, "windrow");

        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(columns(tab.rows("#panel-live"), 0, 2, 3))
                        .containsExactly(List.of("fresh", "2", "42")));
        clicks.event(Label.of("fresh"), now, "8").writeTo(client, "windrow");
        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(columns(tab.rows("#panel-live"), 0, 2, 3))
                        .containsExactly(List.of("fresh", "3", "50")));
        // The other panels ask again by themselves.
        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(columns(tab.rows("#panel-top-referrer"), 0, 2))
                        .containsExactly(List.of("fresh", "3")));
        tab.screenshot("live");
        tab.choose("refresh", "");
        await().atMost(Patience.LIMIT).until(() -> tab.evaluate("document.getElementById('panel-live').hidden").asBoolean());
    }

    @Test
    void liveBucketsOfTooManyLabelsAreAProblem() {
        Instant now = Instant.now();
        Aggregated clicks = clicks("page-too-many");
        for (int label = 0; label < 51; label++) {
            clicks.event(Label.of("label-" + label), now, "1");
        }
        clicks.writeTo(client, "windrow");

        tab.go(base + "#dataset=clicks&tenant=page-too-many&last=1h&refresh=live");

        tab.awaitState("problem", "live");
        assertThat(tab.text("#panel-live .status")).contains("at most 50 buckets").contains("(invalid-parameter)");
    }

    private Aggregated clicks(String tenant) {
        return new Aggregated(tenant, datasets.named("clicks").orElseThrow(), new SplittableRandom(1));
    }

    @Test
    void everyPanelHasItsQueryAsACommandAndItsPlan() {
        show(CLICKS, PANELS);

        for (String panel : PANELS) {
            String command = tab.evaluate("document.querySelector('#panel-" + panel + " .query code').textContent").asText();
            assertThat(command).as(panel).startsWith("curl '" + base + "api/v1/datasets/clicks/").endsWith("'");
            String url = command.substring("curl '".length(), command.length() - 1);
            assertThat(given().urlEncodingEnabled(false).get(url).jsonPath().getBoolean("complete")).as(panel).isTrue();
            tab.click("#panel-" + panel + " .query .explain");
            await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(
                    tab.evaluate("document.querySelector('#panel-" + panel + " .explanation').textContent").asText()).as(panel)
                    .contains(" shards, ").contains("index"));
        }
    }

    @Test
    void labelsOfSeveralAttributesAreGroupedAndFilteredByAny() {
        Aggregated visits = new Aggregated(TENANT, datasets.named("visits").orElseThrow(), new SplittableRandom(1));
        for (String visit : List.of("a /1", "a /1", "a /2", "b /1", "a /3")) {
            visits.event(new Label(List.of(visit.split(" ", -1))), FROM, "1");
        }
        visits.writeTo(client, "windrow");
        show("dataset=visits&tenant=" + TENANT + "&" + RANGE, "top-host", "top-page");
        assertThat(columns(tab.rows("#panel-top-host"), 0, 2)).containsExactly(List.of("a", "4"), List.of("b", "1"));

        tab.click("#panel-top-host button.label");
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(cards()).startsWith("4"));
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(columns(tab.rows("#panel-top-page"), 0, 2))
                .containsExactly(List.of("/1", "2"), List.of("/2", "1"), List.of("/3", "1")));

        tab.click("#filters .chip");
        tab.evaluate("document.querySelector('#filters select').value = 'page'");
        tab.evaluate("document.querySelector('#filters input').focus()");
        tab.type("/1");
        tab.press("Enter");
        tab.click("[name=group-host]");
        tab.click("[name=group-page]");
        tab.awaitState("complete", "top-host-page");
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(columns(tab.rows("#panel-top-host-page"), 0, 2))
                .containsExactly(List.of("a · /1", "2"), List.of("b · /1", "1")));
    }

    @Test
    void aDatasetWithoutIndexAnswersForATypedLabel() {
        Aggregated votes = new Aggregated(TENANT, datasets.named("votes").orElseThrow(), new SplittableRandom(1));
        votes.event("ada", "2026-03-02T00:00:00Z").event("ada", "2026-03-03T00:00:00Z").writeTo(client, "windrow");
        tab.go(base + "#dataset=votes&tenant=" + TENANT);
        tab.awaitState("unavailable", "summary", "over-time", "movers", "week");

        tab.evaluate("document.querySelector('#filters input').focus()");
        tab.type("ada");
        tab.press("Enter");

        tab.awaitState("complete", "summary");
        assertThat(cards()).containsExactly("2");
    }

    @Test
    void anAddressBringsBackWhatWasShown() {
        show(CLICKS, PANELS);
        tab.choose("by", "largest");
        tab.choose("against", "week");
        String address = tab.evaluate("location.href").asText();

        try (Tab other = chromium.tab()) {
            other.go(address);
            other.awaitState("complete", "over-time");
            for (String control : List.of("dataset", "by", "last", "granularity", "against", "from", "to", "tenant")) {
                String value = "document.querySelector('[name=\"" + control + "\"]').value";
                assertThat(other.evaluate(value).asText()).as(control).isEqualTo(tab.evaluate(value).asText());
            }
        }
        tab.evaluate("history.back()");
        await().atMost(Patience.LIMIT).until(() -> !tab.evaluate("location.hash").asText().contains("against="));
    }

    @Test
    void nonsenseInTheAddressIsNoHarm() {
        for (String state : List.of("last=99999999999h&where=a&where=:&where=b:c&group=x", "last=&from=x&to=y",
                "%zz&tenant=%2F%2F",
                "dataset=nowhere&by=nothing&granularity=eon&group=&zone=moon&against=yesterday")) {
            tab.go(base + "#" + state);
            await().atMost(Patience.LIMIT).until(() -> !tab.evaluate("[...document.querySelectorAll('section.panel')]"
                    + ".filter((panel) => !panel.hidden).some((panel) => (panel.dataset.state ?? 'loading') === 'loading')")
                    .asBoolean());
        }
    }

    /** Keeps the texts that are drawn on a canvas: the marks of a chart's axes. */
    private static final String KEEP_TEXTS = """
            window.texts = [];
            const draw = CanvasRenderingContext2D.prototype.fillText;
            CanvasRenderingContext2D.prototype.fillText = function (text, ...where) {
              window.texts.push(text);
              return draw.call(this, text, ...where);
            };""";

    private String texts() {
        await().atMost(Patience.LIMIT).until(() -> tab.evaluate("window.texts.length").asInt() > 0);
        return "," + tab.evaluate("window.texts.join()").asText() + ",";
    }

    @Test
    void marksOfTimeAreDatesAtMidnightAndNeverFinerThanABucket() {
        tab.before(KEEP_TEXTS);
        show(CLICKS, "over-time");
        assertThat(texts()).contains(",2 Mar,", ",3 Mar,", ",4 Mar,", ",12:00,").doesNotContain(",00:00,");

        show(CLICKS.replace("granularity=hour", "granularity=day"), "over-time");
        assertThat(texts()).contains(",2 Mar,", ",3 Mar,").doesNotContain(":00,");
    }

    @Test
    void aBucketThatIsNotOverSaysSo() {
        Instant now = Instant.now();
        clicks("page-now").event(Label.of("a"), now, "1").writeTo(client, "windrow");
        show("dataset=clicks&tenant=page-now&last=24h&granularity=day", "over-time");

        tab.evaluate("document.querySelector('#panel-over-time .chart').focus()");
        tab.press("End");

        assertThat(tab.text("#panel-over-time .readout")).contains("not over until "
                + now.atOffset(ZoneOffset.UTC).toLocalDate().plusDays(1));
    }

    @Test
    void whatIsMissingIsAGapAndWhatIsNegativeIsSeen() {
        show(CLICKS, "top-referrer");

        JsonNode drawn = tab.evaluate(
                """
                        (async () => {
                          const main = document.querySelector('script[type=module]').src;
                          const { sparkLine } = await import(new URL('chart.js', main).href);
                          const { heatMap } = await import(new URL('dom.js', main).href);
                          const values = [-4, null, 0, 8];
                          const heat = heatMap('map', ['row'], ['a', 'b', 'c', 'd', 'e'], (_row, column) => ({ value: values[column] ?? null,
                            name: 'cell', outside: column === 4, open: () => {} }));
                          return [sparkLine([5, 6, null, 7, 8], 'line').querySelector('path').getAttribute('d'),
                            ...[...heat.querySelectorAll('td')].map((cell) => cell.className)];
                        })()""");

        assertThat(drawn.get(0).asText()).matches("M[^ML]+L[^ML]+M[^ML]+L[^ML]+");
        assertThat(drawn).extracting(JsonNode::asText).endsWith("shade-4 negative", "missing", "shade-0", "shade-8", "outside");
    }

    @Test
    void allTimeIsShownHoweverOldTheDataIs() {
        clicks("page-old").event(Label.of("a"), Instant.parse("2019-03-02T00:00:00Z"), "1")
                .event(Label.of("a"), Instant.now(), "1").writeTo(client, "windrow");

        show("dataset=clicks&tenant=page-old&last=all", "summary", "over-time", "top-referrer", "week");

        assertThat(cards()).startsWith("2");
        assertThat(tab.evaluate("document.querySelector('#panel-over-time .chart').getAttribute('aria-label')").asText())
                .contains("per month");
    }

    @Test
    void aLinkToWhatDoesNotExistSaysSo() {
        Map<String, String> said = Map.of("dataset=nowhere", "There is no dataset “nowhere”", "dataset=clicks&by=cost",
                "clicks has no measure “cost”", "dataset=clicks&granularity=eon", "clicks cannot be shown by “eon”",
                "dataset=clicks&where=city:Ulm", "The labels of clicks have no “city”");
        said.forEach((state, sentence) -> {
            tab.go(base + "#" + state);
            await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(tab.text("#notice")).contains(sentence));
            assertThat(tab.has(".chart")).as(state).isFalse();
        });
    }

    @Test
    void aBusyServiceIsAskedAgain() {
        show(CLICKS, PANELS);
        tab.evaluate("""
                (() => {
                  const own = window.fetch;
                  window.fetch = async () => {
                    window.fetch = own;
                    return new Response('{}', { status: 503, headers: { 'Retry-After': '1' } });
                  };
                })()""");

        tab.choose("by", "bytes");

        await().atMost(Patience.LIMIT).until(() -> tab.text("#panel-over-time h2").equals("bytes over time"));
        tab.awaitState("complete", PANELS);
    }

    @Test
    void aLostConnectionKeepsWhatWasShownAndComesBack() {
        show(CLICKS, PANELS);
        List<String> before = cards();
        tab.evaluate("window.own = window.fetch; window.fetch = async () => { throw new TypeError('Failed to fetch'); }; 0");

        tab.choose("zone", "local");

        for (String panel : PANELS) {
            tab.awaitState("stale", panel);
        }
        assertThat(tab.text("#notice")).startsWith("The service cannot be reached since ");
        assertThat(cards()).isEqualTo(before);
        tab.screenshot("lost");

        tab.evaluate("window.fetch = window.own; 0");
        tab.awaitState("complete", PANELS);
        assertThat(tab.evaluate("document.getElementById('notice').hidden").asBoolean()).isTrue();
    }

    @Test
    void aRangeIsZoomedToByDraggingAndLeftByADoubleClick() {
        show(CLICKS, PANELS);

        tab.drag("#panel-over-time .u-over", 0.26, 0.49);

        // Of 48 hours, from the 12th on.
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(tab.evaluate("location.hash").asText())
                .contains(from(FROM.plus(Duration.ofHours(12)))).contains("T00%3A00%3A00Z"));
        tab.awaitState("complete", PANELS);
        assertThat(cards()).startsWith(Long.toString(data.period(false).stream().filter(click -> !click.time()
                .isBefore(FROM.plus(Duration.ofHours(12))) && click.time().isBefore(FROM.plus(Duration.ofDays(1)))).count()));
        tab.evaluate(
                "document.querySelector('#panel-over-time .u-over').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))");
        await().atMost(Patience.LIMIT).until(() -> tab.evaluate("location.hash").asText().contains(from(FROM)));

        tab.awaitState("complete", "week");
        tab.click("#panel-week tbody tr:nth-child(2) td:nth-of-type(4) button");
        await().atMost(Patience.LIMIT).until(() -> tab.evaluate("location.hash").asText()
                .contains(from(FROM.plus(Duration.ofHours(27)))));
    }

    @Test
    void theLargestHaveLinesOfTheirOwnAndTheRestOne() {
        show(CLICKS + "&lines=referrer&stacked=on", "over-time");

        assertThat(tab.evaluate("document.querySelectorAll('#panel-over-time .legend li').length").asInt()).isEqualTo(6);
        assertThat(tab.text("#panel-over-time .legend")).endsWith("other");
        tab.click("#panel-over-time .folded summary");
        await().atMost(Patience.LIMIT).until(() -> tab.has("#panel-over-time .folded table"));
        List<String> sums = tab.rows("#panel-over-time .folded").stream().map(row -> Integer.toString(row.stream().skip(1)
                .mapToInt(Integer::parseInt).sum())).toList();
        assertThat(sums).isEqualTo(PageData.hours(data.period(false)).stream().map(row -> row.get(1)).toList());
        tab.screenshot("stacked");
    }

    @Test
    void aListIsSortedSearchedExtendedAndSaved() {
        show(CLICKS, PANELS);
        tab.evaluate("window.kept = null; const own = URL.createObjectURL; URL.createObjectURL = (blob) => {"
                + " window.kept = blob; return own(blob); }; 0");
        tab.click("#panel-top-referrer .csv");
        await().atMost(Patience.LIMIT).until(() -> tab.evaluate("window.kept !== null").asBoolean());
        assertThat(tab.evaluate("window.kept.text()").asText()).startsWith("referrer,events,bytes").contains(HOSTILE);

        tab.click("#panel-top-referrer .more");
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(columns(tab.rows("#panel-top-referrer"), 0, 2, 3))
                .isEqualTo(PageData.top(data.period(false), 40)));
        tab.evaluate("document.querySelector('#panel-top-referrer [name=search]').focus()");
        tab.type("script");
        assertThat(columns(tab.rows("#panel-top-referrer"), 0)).containsExactly(List.of(HOSTILE));
        tab.evaluate("document.querySelectorAll('#panel-top-referrer .sort')[1].click()");
        await().atMost(Patience.LIMIT).until(() -> tab.evaluate("location.hash").asText().contains("by=bytes"));
        tab.awaitState("complete", "top-referrer");
        assertThat(tab.text("#panel-top-referrer th[aria-sort=descending]")).startsWith("bytes");
    }

    @Test
    void darkOrLightIsTheSystemsOrChosenAndKept() {
        tab.prefer("dark");
        show(CLICKS, "over-time");
        assertThat(brightness()).isLessThan(60);
        tab.screenshot("dark");

        tab.click("[name=theme]");
        assertThat(brightness()).isGreaterThan(200);
        tab.go(base + "#" + CLICKS);
        assertThat(brightness()).isGreaterThan(200);
        tab.prefer("light");
        tab.click("[name=theme]");
        assertThat(brightness()).isLessThan(60);
    }

    private int brightness() {
        return tab.evaluate("Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])").asInt();
    }

    @Test
    void onAPhoneNothingIsWiderThanTheScreen() {
        tab.size(360, 740);
        show(CLICKS + "&where=referrer:-&where=referrer:" + "x".repeat(300), PANELS);

        assertThat(tab.evaluate("document.querySelector('header').offsetHeight").asInt()).isLessThanOrEqualTo(740 / 8);
        assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(360);
        assertThat(
                tab.evaluate("[...document.querySelectorAll('.chart')].every((chart) => chart.getBoundingClientRect().right"
                        + " <= 360)").asBoolean())
                .isTrue();
        tab.screenshot("phone");
        tab.size(800, 740);
        await().atMost(Patience.LIMIT).until(() -> tab.evaluate("document.querySelector('#panel-over-time .chart canvas')"
                + ".getBoundingClientRect().width > 500").asBoolean());
    }

    @Test
    void theKeyboardReachesAndReadsEverything() {
        show(CLICKS, PANELS);
        tab.press("Tab");
        assertThat(tab.evaluate("document.activeElement.id").asText()).isEqualTo("skip");
        tab.press("Enter");
        assertThat(tab.evaluate("document.activeElement.id").asText()).isEqualTo("panels");
        assertThat(tab.evaluate("location.hash").asText()).contains("dataset=clicks");
        tab.press("Tab");
        assertThat(tab.evaluate("document.activeElement.className").asText()).isEqualTo("card");
        tab.evaluate("document.querySelector('#panel-over-time .chart').focus()");

        List<List<String>> hours = PageData.hours(data.period(false));
        tab.press("Home");
        assertThat(tab.text("#panel-over-time .readout")).startsWith(hours.get(0).get(0)).endsWith(" " + hours.get(0).get(1));
        tab.press("ArrowRight");
        assertThat(tab.text("#panel-over-time .readout")).startsWith(hours.get(1).get(0)).endsWith(" " + hours.get(1).get(1));
    }

    @Test
    void aTimeIsTypedAndCountsOnceItIsComplete() {
        show(CLICKS, PANELS);

        // The year is the third part, whether the month or the day is the first.
        tab.evaluate("document.querySelector('[name=from]').focus()");
        tab.press("ArrowRight");
        tab.press("ArrowRight");
        tab.pressDigits("2025");
        assertThat(tab.evaluate("location.hash").asText()).contains("from=" + FROM);
        tab.press("Enter");

        Instant yearBefore = FROM.atOffset(ZoneOffset.UTC).minusYears(1).toInstant();
        assertThat(tab.evaluate("location.hash").asText()).contains(from(yearBefore));
        assertThat(tab.evaluate("document.activeElement.name").asText()).isEqualTo("from");

        tab.press("ArrowRight");
        tab.press("ArrowRight");
        tab.pressDigits("2024");
        tab.evaluate("document.querySelector('[name=to]').focus()");

        Instant twoYearsBefore = FROM.atOffset(ZoneOffset.UTC).minusYears(2).toInstant();
        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(tab.evaluate("location.hash").asText()).contains(from(twoYearsBefore)));
        assertThat(tab.evaluate("document.activeElement.name").asText()).isEqualTo("to");
    }

    /** Where the checks of the sources install axe. */
    private static final Path AXE = Path.of("../.ci/lint/node_modules/axe-core/axe.min.js");

    @Test
    void axeFindsNothingInEitherThemeOrOnAPhone() throws IOException {
        assumeTrue(Files.exists(AXE), "axe-core is not installed: .ci/lint/run does that");
        for (String scheme : List.of("light", "dark")) {
            tab.prefer(scheme);
            show(CLICKS + "&where=referrer:-&refresh=live&lines=referrer", "over-time", "top-referrer", "movers", "week");
            tab.evaluate(Files.readString(AXE) + ";0");

            assertThat(violations()).as(scheme).isEmpty();
            tab.size(360, 740);
            assertThat(violations()).as("%s, on a phone", scheme).isEmpty();
            tab.size(1280, 900);
        }
    }

    private List<String> violations() {
        List<String> found = new ArrayList<>();
        tab.evaluate("axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map((node) => "
                + "`${id}: ${node.html} ${node.failureSummary}`)))").forEach(violation -> found.add(violation.asText()));
        return found;
    }

    /** How the page's address writes where the range begins. */
    private static String from(Instant time) {
        return "from=" + URLEncoder.encode(time.toString(), StandardCharsets.UTF_8);
    }

    @Test
    void everythingHasANameForThoseWhoDoNotSeeIt() {
        show(CLICKS + "&where=referrer:-&refresh=live", PANELS);

        List<String> nameless = new ArrayList<>();
        int named = 0;
        for (JsonNode node : tab.call("Accessibility.getFullAXTree", Map.of()).get("nodes")) {
            String role = node.at("/role/value").asText();
            boolean needsName = List.of("button", "combobox", "textbox", "image", "img", "table", "region", "columnheader",
                    "link", "heading").contains(role);
            if (needsName && !node.path("ignored").asBoolean() && node.at("/name/value").asText().isBlank()) {
                nameless.add(node.toString());
            } else if (needsName) {
                named++;
            }
        }
        assertThat(nameless).isEmpty();
        assertThat(named).isGreaterThan(50);
    }
}
