package dev.windrow.gather.page;

import static dev.windrow.gather.page.PageData.FROM;
import static dev.windrow.gather.page.PageData.HOSTILE;
import static dev.windrow.gather.page.PageData.PERIOD;
import static dev.windrow.gather.page.PageData.TENANT;
import static dev.windrow.gather.page.PageData.TO;
import static dev.windrow.gather.page.Tab.eventually;
import static dev.windrow.gather.page.Tab.until;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.gather.page.PageData.Click;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.FaultyTable;
import dev.windrow.gather.testing.ManagementPort;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.table.Label;
import dev.windrow.testing.Seeds;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/** Tests the page in a real browser: compares every view with sums of generated events. Skipped without Chromium. */
@QuarkusTest
@Tag("slow")
@QuarkusTestResource(value = FaultyTable.class, restrictToAnnotatedClass = true)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageBrowserTest extends TableTest {

    private static final String RANGE = "last=&from=" + FROM + "&to=" + TO;
    private static final String CLICKS = "dataset=clicks&tenant=" + TENANT + "&" + RANGE + "&granularity=hour";
    private static final String DAYS = CLICKS.replace("granularity=hour", "granularity=day");
    private static final String[] PANELS = { "summary", "over-time", "top-referrer", "movers", "week" };

    /** The place where the lint checks install axe. */
    private static final Path AXE = Path.of("../.ci/lint/node_modules/axe-core/axe.min.js");

    /** Records the texts drawn on a canvas: the tick labels of a chart's axes. */
    private static final String KEEP_TEXTS = """
            window.texts = [];
            const draw = CanvasRenderingContext2D.prototype.fillText;
            CanvasRenderingContext2D.prototype.fillText = function (text, ...where) {
              window.texts.push(text);
              return draw.call(this, text, ...where);
            };""";

    @TestHTTPResource("/")
    URI base;

    FaultProxy proxy;

    private final PageData data = new PageData(Seeds.seed("the page"));
    private final List<Click> now = data.period(false);
    private final List<Click> before = data.period(true);
    private Chromium chromium;
    private Tab tab;

    @BeforeEach
    void openTab() {
        if (chromium == null) {
            chromium = Chromium.start();
            until(ManagementPort::isReady);
            data.writeTo(client, datasets);
        }
        tab = chromium.tab();
    }

    @AfterEach
    void noScriptFailed() {
        if (tab != null) {
            proxy.use(FaultPlan.none());
            tab.close();
        }
    }

    @AfterAll
    void close() {
        if (chromium != null) {
            chromium.close();
        }
    }

    private void open(String state) {
        tab.go(base + "#" + state);
    }

    private void show(String state, String... complete) {
        open(state);
        tab.awaitState("complete", complete);
    }

    /** Selects columns of a table's visible ones. */
    private static List<List<String>> columns(List<List<String>> rows, int... columns) {
        return rows.stream().map(row -> Arrays.stream(columns).mapToObj(row::get).toList()).toList();
    }

    private List<List<String>> top(int... columns) {
        return columns(tab.rows("#panel-top-referrer"), columns);
    }

    /** The numbers of the chart, from the folded table below it. */
    private List<List<String>> overTime(int... columns) {
        tab.click("#panel-over-time .folded:not([open]) summary");
        until(() -> tab.has("#panel-over-time .folded table"));
        return columns(tab.rows("#panel-over-time .folded"), columns);
    }

    /** The totals of all measures, with every digit. */
    private List<String> cards() {
        return tab.strings("[...document.querySelectorAll('#panel-summary .card data')].map((data) => data.value)");
    }

    /** The start of the range as in the page's address. */
    private static String from(Instant time) {
        return "from=" + URLEncoder.encode(time.toString(), StandardCharsets.UTF_8);
    }

    /** Replaces how the page sends its requests; {@code window.own} is how browsers do. */
    private void fetchBy(String function) {
        tab.evaluate("window.own ??= window.fetch; window.fetch = " + function + "; 0");
    }

    /** Evaluates an expression with what a module of the page exports. */
    private String ofModule(String module, String expression) {
        return tab.string("import(new URL('" + module + ".js', document.querySelector('script[type=module]').src).href)"
                + ".then((module) => " + expression + ")");
    }

    private void awaitHash(String part) {
        eventually(() -> assertThat(tab.hash()).contains(part));
    }

    @Test
    void everythingOverTimeIsExact() {
        show(CLICKS, PANELS);

        assertThat(overTime(0, 1, 2)).isEqualTo(PageData.hours(now));
        assertThat(tab.text("#panel-over-time .status")).startsWith("Complete, as of ").endsWith(" UTC");
        assertThat(tab.has("#panel-over-time .chart canvas")).isTrue();
        tab.screenshot("page");
    }

    @Test
    void topLabelsHaveTheirSumsAndLines() {
        show(CLICKS, "top-referrer");

        assertThat(top(0, 2, 3)).isEqualTo(PageData.top(now, 10));
        assertThat(tab.count("#panel-top-referrer svg.spark path")).isEqualTo(10);
        // The first label's sparkline peaks at its busiest hour.
        String first = PageData.top(now, 1).get(0).get(0);
        List<Integer> hours = PageData.hours(now.stream().filter(click -> click.shown().equals(first)).toList()).stream()
                .map(row -> Integer.valueOf(row.get(1))).toList();
        String path = tab.string("document.querySelector('#panel-top-referrer svg.spark path').getAttribute('d')");
        List<Double> heights = Stream.of(path.substring(1).split("L", -1))
                .map(point -> Double.valueOf(point.split(",", -1)[1])).toList();
        int busiest = hours.indexOf(hours.stream().max(Integer::compare).orElseThrow());
        assertThat(heights).hasSameSizeAs(hours);
        assertThat(heights.get(busiest)).isEqualTo(heights.stream().min(Double::compare).orElseThrow());
    }

    @Test
    void aHostileValueIsTextAndFiltersEverything() {
        show(CLICKS, "top-referrer");

        tab.evaluate("[...document.querySelectorAll('#panel-top-referrer button.label')]"
                + ".find((button) => button.textContent === \"" + HOSTILE + "\").click()");

        until(() -> tab.text("#filters .chips").equals("referrer: " + HOSTILE + " ×"));
        tab.awaitState("complete", PANELS);
        List<Click> own = now.stream().filter(click -> click.label().equals(HOSTILE)).toList();
        eventually(() -> assertThat(cards()).startsWith(Integer.toString(own.size()), PageData.bytes(own)));
        assertThat(overTime(0, 1, 2)).isEqualTo(PageData.hours(own));
        assertThat(top(0)).containsExactly(List.of(HOSTILE));
        assertThat(tab.string("document.title")).isEqualTo("clicks – Windrow");
        assertThat(tab.has("main script, main img")).isFalse();
        tab.screenshot("filtered");

        tab.click("#filters .chip");
        until(() -> tab.text("#filters .chips").isEmpty());
        eventually(() -> assertThat(top(0)).hasSize(10));
    }

    @Test
    void hoursOfTheWeekAreExact() {
        show(CLICKS, "week");

        Map<Integer, List<Click>> slots = PageData.by(now, click -> {
            OffsetDateTime time = click.time().atOffset(ZoneOffset.UTC);
            return (time.getDayOfWeek().getValue() - 1) * 24 + time.getHour();
        });
        List<String> days = List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");
        List<List<String>> expected = IntStream.range(0, 7).mapToObj(day -> Stream.concat(Stream.of(days.get(day)),
                IntStream.range(day * 24, day * 24 + 24).mapToObj(slot -> slots.getOrDefault(slot, List.of()))
                        .map(clicks -> Integer.toString(clicks.size())))
                .toList()).toList();
        assertThat(tab.rows("#panel-week .heat")).isEqualTo(expected);
    }

    @Test
    void thisPeriodIsComparedWithTheOneBefore() {
        show(CLICKS, PANELS);

        assertThat(cards()).startsWith(Integer.toString(now.size()), PageData.bytes(now));
        BigDecimal percent = BigDecimal.valueOf(Math.round(1_000.0 * (now.size() - before.size()) / before.size()), 1);
        assertThat(tab.text("#panel-summary .card .change"))
                .isEqualTo((percent.signum() > 0 ? "+" : "") + percent.stripTrailingZeros().toPlainString() + "%");
        Map<String, Integer> changes = new HashMap<>();
        now.forEach(click -> changes.merge(click.shown(), 1, Integer::sum));
        before.forEach(click -> changes.merge(click.shown(), -1, Integer::sum));
        List<String> mover = tab.rows("#panel-movers").get(0);
        assertThat(mover.get(3)).isEqualTo(Integer.toString(changes.get(mover.get(0))));
        assertThat(Math.abs(changes.get(mover.get(0))))
                .isEqualTo(changes.values().stream().mapToInt(Math::abs).max().orElseThrow());

        tab.choose("against", "previous");
        until(() -> tab.has("#panel-over-time .legend"));
        List<Click> moved = before.stream().map(click -> new Click(click.label(), click.time().plus(PERIOD), click.bytes()))
                .toList();
        assertThat(overTime(0, 1)).isEqualTo(columns(PageData.hours(now), 0, 1));
        assertThat(columns(tab.rows("#panel-over-time .folded"), 2)).isEqualTo(columns(PageData.hours(moved), 1));
        tab.screenshot("compared");
    }

    @Test
    void aMissingShardIsShownAndNotHidden() {
        proxy.use(request -> request.partitionKey().filter(key -> key.endsWith("#3") && key.startsWith(TENANT)).isPresent()
                ? DynamoDbFaults.internalServerError()
                : new Fault.Pass());

        open(CLICKS);

        tab.awaitState("incomplete", PANELS);
        assertThat(tab.text("#panel-over-time .status")).startsWith("Incomplete, as of ").contains("of 10 shards failed")
                .contains("(unavailable)");
        // A comparison of incomplete numbers would mislead, so only the sums are shown.
        assertThat(tab.has("#panel-summary .change")).isFalse();
        tab.screenshot("incomplete");
    }

    @Test
    void aLateAnswerIsAProblemThatNamesTheDeadline() {
        CompletableFuture<Void> release = new CompletableFuture<>();
        proxy.use(FaultPlan.always(new Fault.Hang(release)));

        open(CLICKS);
        tab.awaitState("loading", PANELS);

        // All panels have the same problem, which is shown once.
        tab.awaitState("problem", PANELS);
        assertThat(tab.text("#notice")).contains("(timed-out)");
        assertThat(tab.strings("[...document.querySelectorAll('.problem')].filter((one) => one.checkVisibility())")).isEmpty();
        release.complete(null);
    }

    @Test
    void noDataIsSaid() {
        open(CLICKS.replace("tenant=page", "tenant=nobody"));
        tab.awaitState("empty", PANELS);
        assertThat(tab.text("#panel-top-referrer")).contains("No data in this range.");
        assertThat(tab.has(".extent")).isFalse();

        open(CLICKS.replace("2026-03", "2025-03"));
        tab.awaitState("empty", "summary");
        tab.screenshot("empty");
        tab.click(".extent");
        tab.awaitState("complete", "summary", "over-time");
        assertThat(cards()).startsWith(Integer.toString(now.size() + before.size()));
    }

    @Test
    void liveBucketsAppearAsTheyChange() {
        open("dataset=clicks&tenant=page-live&last=1h");
        tab.awaitState("empty", "over-time");
        tab.choose("refresh", "live");
        tab.awaitState("complete", "live");

        Instant time = Instant.now();
        Aggregated clicks = events("page-live", "clicks");
        clicks.event(Label.of("fresh"), time, "41").event(Label.of("fresh"), time, "1").writeTo(client, "windrow");
        eventually(() -> assertThat(columns(tab.rows("#panel-live"), 0, 2, 3)).containsExactly(List.of("fresh", "2", "42")));
        clicks.event(Label.of("fresh"), time, "8").writeTo(client, "windrow");
        eventually(() -> assertThat(columns(tab.rows("#panel-live"), 0, 2, 3)).containsExactly(List.of("fresh", "3", "50")));
        // The other panels refresh by themselves.
        eventually(() -> assertThat(top(0, 2)).containsExactly(List.of("fresh", "3")));
        tab.screenshot("live");

        tab.choose("refresh", "");
        until(() -> tab.has("#panel-live[hidden]"));
    }

    @Test
    void liveBucketsOfTooManyLabelsAreAProblem() {
        Aggregated clicks = events("page-too-many", "clicks");
        IntStream.range(0, 51).forEach(label -> clicks.event(Label.of("label-" + label), Instant.now(), "1"));
        clicks.writeTo(client, "windrow");

        open("dataset=clicks&tenant=page-too-many&last=1h&refresh=live");

        tab.awaitState("problem", "live");
        assertThat(tab.text("#panel-live .status")).contains("at most 50 buckets").contains("(invalid-parameter)");
    }

    @Test
    void aStreamThatGoesOnWithoutWhatWasMissedIsFollowed() {
        Aggregated clicks = events("page-missed", "clicks");
        Instant missed = Instant.now().minus(Duration.ofHours(3));
        IntStream.range(0, 51).forEach(label -> clicks.event(Label.of("label-" + label), missed, "1"));
        clicks.writeTo(client, "windrow");
        open("dataset=clicks&tenant=page-missed&last=1h");
        fetchBy("(url, options) => window.own(url, { ...options, headers: { ...options.headers, 'Last-Event-ID': '"
                + missed.getEpochSecond() + "' } })");

        tab.choose("refresh", "live");
        eventually(() -> assertThat(tab.text("#panel-live .status")).contains("(invalid-parameter)"));
        events("page-missed", "clicks").event(Label.of("fresh"), Instant.now(), "1").writeTo(client, "windrow");

        eventually(() -> assertThat(columns(tab.rows("#panel-live"), 0, 2)).containsExactly(List.of("fresh", "1")));
    }

    @Test
    void everyPanelHasItsQueryAsACommandAndItsPlan() {
        show(CLICKS, PANELS);

        for (String panel : PANELS) {
            String query = "document.querySelector('#panel-" + panel + " .query')";
            String command = tab.string(query + ".querySelector('code').textContent");
            assertThat(command).as(panel).startsWith("curl '" + base + "api/v1/datasets/clicks/").endsWith("'");
            String url = command.substring("curl '".length(), command.length() - 1);
            assertThat(given().urlEncodingEnabled(false).get(url).jsonPath().getBoolean("complete")).as(panel).isTrue();
            tab.click("#panel-" + panel + " .query .explain");
            eventually(() -> assertThat(tab.string(query + ".querySelector('.explanation').textContent")).as(panel)
                    .contains(" shards, ").contains("index"));
        }
    }

    @Test
    void labelsOfSeveralAttributesAreGroupedAndFilteredByAny() {
        Aggregated visits = events(TENANT, "visits");
        for (String visit : List.of("a /1", "a /1", "a /2", "b /1", "a /3")) {
            visits.event(new Label(List.of(visit.split(" ", -1))), FROM, "1");
        }
        visits.writeTo(client, "windrow");
        show("dataset=visits&tenant=" + TENANT + "&" + RANGE, "top-host", "top-page");
        assertThat(columns(tab.rows("#panel-top-host"), 0, 2)).containsExactly(List.of("a", "4"), List.of("b", "1"));

        tab.click("#panel-top-host button.label");
        eventually(() -> assertThat(cards()).startsWith("4"));
        eventually(() -> assertThat(columns(tab.rows("#panel-top-page"), 0, 2))
                .containsExactly(List.of("/1", "2"), List.of("/2", "1"), List.of("/3", "1")));

        tab.click("#filters .chip");
        tab.evaluate("document.querySelector('#filters select').value = 'page'");
        tab.focus("#filters input");
        tab.type("/1");
        tab.press("Enter");
        tab.click("[name=group-host]");
        tab.click("[name=group-page]");
        tab.awaitState("complete", "top-host-page");
        eventually(() -> assertThat(columns(tab.rows("#panel-top-host-page"), 0, 2))
                .containsExactly(List.of("a · /1", "2"), List.of("b · /1", "1")));
    }

    @Test
    void aDatasetWithoutIndexAnswersForATypedLabel() {
        events(TENANT, "votes").event("ada", "2026-03-02T00:00:00Z").event("ada", "2026-03-03T00:00:00Z")
                .writeTo(client, "windrow");
        open("dataset=votes&tenant=" + TENANT);
        tab.awaitState("unavailable", "summary", "over-time", "movers", "week");

        tab.focus("#filters input");
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

        try (Tab other = chromium.tab()) {
            other.go(tab.string("location.href"));
            other.awaitState("complete", "over-time");
            String controls = "['dataset', 'by', 'last', 'granularity', 'against', 'from', 'to', 'tenant'].map((name) => "
                    + "name + ': ' + document.querySelector(`[name=\"${name}\"]`).value)";
            assertThat(other.strings(controls)).isEqualTo(tab.strings(controls));
        }
        tab.evaluate("history.back()");
        until(() -> !tab.hash().contains("against="));
    }

    @ParameterizedTest
    @ValueSource(strings = { "last=99999999999h&where=a&where=:&where=b:c&group=x", "last=&from=x&to=y", "%zz&tenant=%2F%2F",
            "last=&from=%2B012345-01-01T00:00:00Z", "toString=1&__proto__=2",
            "dataset=nowhere&by=nothing&granularity=eon&group=&zone=moon&against=yesterday" })
    void nonsenseInTheAddressIsNoHarm(String state) {
        open(state);

        until(() -> !tab.has("section.panel:not([hidden]):is([data-state=loading], :not([data-state]))"));
    }

    private String texts() {
        until(() -> !tab.strings("window.texts").isEmpty());
        return "," + tab.string("window.texts.join()") + ",";
    }

    @Test
    void marksOfTimeAreDatesAtMidnightAndNeverFinerThanABucket() {
        tab.before(KEEP_TEXTS);
        show(CLICKS, "over-time");
        assertThat(texts()).contains(",2 Mar,", ",3 Mar,", ",4 Mar,", ",12:00,").doesNotContain(",00:00,");

        show(DAYS, "over-time");
        assertThat(texts()).contains(",2 Mar,", ",3 Mar,").doesNotContain(":00,");
    }

    @Test
    void aBucketThatIsNotOverSaysSo() {
        Instant time = Instant.now();
        events("page-now", "clicks").event(Label.of("a"), time, "1").writeTo(client, "windrow");
        show("dataset=clicks&tenant=page-now&last=24h&granularity=day", "over-time");

        tab.focus("#panel-over-time .chart");
        tab.press("End");

        // The day may have ended since.
        assertThat(tab.text("#panel-over-time .readout")).containsAnyOf(Stream.of(time, Instant.now())
                .map(now -> "not over until " + now.atOffset(ZoneOffset.UTC).toLocalDate().plusDays(1)).toArray(String[]::new));
    }

    @Test
    void whatIsMissingIsAGapAndWhatIsNegativeIsSeen() {
        show(CLICKS, "top-referrer");

        List<String> drawn = tab.strings("""
                (async () => {
                  const main = document.querySelector('script[type=module]').src;
                  const { sparkLine } = await import(new URL('chart.js', main).href);
                  const { heatMap } = await import(new URL('dom.js', main).href);
                  const values = [-4, null, 0, 8];
                  const heat = heatMap('map', ['row'], ['a', 'b', 'c', 'd', 'e'], (_row, column) => (
                    { value: values[column] ?? null, name: 'cell', outside: column === 4, open: () => {} }));
                  return [sparkLine([5, 6, null, 7, 8], 'line').querySelector('path').getAttribute('d'),
                    ...[...heat.querySelectorAll('td')].map((cell) => cell.className)];
                })()""");

        assertThat(drawn.get(0)).matches("M[^ML]+L[^ML]+M[^ML]+L[^ML]+");
        assertThat(drawn).endsWith("shade-4 negative", "missing", "shade-0", "shade-8", "outside");
    }

    @ParameterizedTest
    @CsvSource({ "2010-09-26T11:00:00Z, Pacific/Apia, 2010-09-27T10:00:00.000Z",
            "2026-09-05T04:00:00Z, America/Santiago, 2026-09-06T04:00:00.000Z",
            "2026-03-07T05:00:00Z, America/Havana, 2026-03-08T05:00:00.000Z",
            "2026-03-28T01:00:00Z, Atlantic/Azores, 2026-03-29T01:00:00.000Z",
            "2026-03-27T22:00:00Z, Asia/Beirut, 2026-03-28T22:00:00.000Z",
            "2026-10-31T04:00:00Z, America/Havana, 2026-11-01T04:00:00.000Z" })
    void aDayEndsWhereTheNextBeginsThoughClocksSkipMidnight(String start, String zone, String end) {
        show(CLICKS, "summary");

        assertThat(ofModule("view", "new Date(module.endOf(Date.parse('" + start + "'), 'day', '" + zone + "')).toISOString()"))
                .isEqualTo(end);
    }

    @Test
    void panelsOfDifferentAttributesHaveDifferentIds() {
        show(CLICKS, "summary");

        String ids = ofModule("panels",
                "[[], ['all'], ['user.id'], ['user_id'], ['user', 'id'], ['user-id'], ['город'], ['улица'],"
                        + " ['a b']].map((attributes) => module.top(attributes).id).join()");

        assertThat(ids.split(",", -1)).doesNotHaveDuplicates().noneMatch(id -> id.contains(" "));
    }

    /** A week of hours would be readable, but most hours have expired along with their minutes. */
    @ParameterizedTest
    @CsvSource({ "24h, 5-minutes", "7d, day", "90d, day", "all, day" })
    void theAutomaticGranularityIsOneThatExistsInAllOfTheRange(String last, String granularity) {
        open("dataset=fading&last=" + last);

        eventually(() -> assertThat(tab.text("[name=granularity] option")).isEqualTo("automatic (" + granularity + ")"));
    }

    @Test
    void allTimeIsShownHoweverOldTheDataIs() {
        events("page-old", "clicks").event(Label.of("a"), Instant.parse("2019-03-02T00:00:00Z"), "1")
                .event(Label.of("a"), Instant.now(), "1").writeTo(client, "windrow");

        show("dataset=clicks&tenant=page-old&last=all", "summary", "over-time", "top-referrer", "week");

        assertThat(cards()).startsWith("2");
        assertThat(tab.has("#panel-over-time .chart[aria-label*='per month']")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({ "dataset=nowhere, There is no dataset “nowhere”", "dataset=clicks&by=cost, clicks has no measure “cost”",
            "dataset=clicks&granularity=eon, clicks cannot be shown by “eon”",
            "dataset=clicks&where=city:Ulm, The labels of clicks have no “city”" })
    void aLinkToWhatDoesNotExistSaysSo(String state, String sentence) {
        open(state);

        eventually(() -> assertThat(tab.text("#notice")).contains(sentence));
        assertThat(tab.has(".chart")).isFalse();
    }

    @Test
    void aBusyServiceIsAskedAgain() {
        show(CLICKS, PANELS);
        tab.evaluate("""
                window.own = window.fetch;
                window.fetch = async () => {
                  window.fetch = window.own;
                  return new Response('{}', { status: 503, headers: { 'Retry-After': '1' } });
                }; 0""");

        tab.choose("by", "bytes");

        until(() -> tab.text("#panel-over-time h2").equals("bytes over time"));
        tab.awaitState("complete", PANELS);
    }

    @Test
    void aLostConnectionKeepsTheAnswerToTheSameQuestionAndComesBack() {
        show(CLICKS, PANELS);
        List<String> shown = cards();
        fetchBy("async () => { window.asked = true; throw new TypeError('Failed to fetch'); }");

        tab.choose("refresh", "1m");

        tab.awaitState("stale", PANELS);
        String notice = tab.text("#notice");
        assertThat(notice).startsWith("The service cannot be reached since ");
        assertThat(cards()).isEqualTo(shown);
        tab.screenshot("lost");

        // A day later, it was lost yesterday.
        tab.evaluate("{ const now = Date.now; Date.now = () => now() + 86_400_000; window.asked = false; }");
        until(() -> tab.evaluate("window.asked").asBoolean());
        tab.awaitState("stale", PANELS);
        assertThat(tab.text("#notice").replaceFirst("[0-9]{4}-[0-9]{2}-[0-9]{2} ", "")).isEqualTo(notice);
        String dated = "Complete, as of [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8} UTC";
        assertThat(tab.text("#panel-over-time .status")).matches(dated);

        tab.choose("by", "bytes");
        tab.awaitState("problem", PANELS);
        assertThat(tab.has(".chart, .card, main tbody")).isFalse();

        fetchBy("window.own");
        tab.awaitState("complete", PANELS);
        assertThat(tab.text("#panel-over-time h2")).isEqualTo("bytes over time");
        assertThat(tab.text("#panel-over-time .status")).matches(dated);
        assertThat(tab.has("#notice[hidden]")).isTrue();
    }

    @Test
    void aTitleIsThatOfTheAnswerShownUntilTheNextComes() {
        show(CLICKS, PANELS);
        tab.evaluate("window.held = new Promise((go) => { window.go = go; }); 0");
        fetchBy("async (...all) => { await window.held; return window.own(...all); }");

        tab.choose("by", "bytes");
        tab.awaitState("loading", "over-time");
        assertThat(tab.text("#panel-over-time h2")).isEqualTo("events over time");
        assertThat(tab.has("#panel-over-time .chart[aria-label^=events]")).isTrue();
        // What was shown of another dataset has its measures and labels, which cannot be asked for any more.
        tab.choose("dataset", "stock");
        assertThat(tab.has(".chart, .card")).isFalse();
        assertThat(tab.text("#panel-over-time h2")).isEqualTo("sold over time");

        tab.evaluate("window.go(); 0");
        tab.awaitState("empty", "over-time");
    }

    @Test
    void whateverPanelIsRefusedThePageAsksToSignInAndShowsNothing() {
        show(CLICKS, PANELS);
        fetchBy("(url, ...more) => url.includes('/busiest?') ? Promise.resolve(new Response('{}', { status: 401 }))"
                + " : window.own(url, ...more)");
        tab.choose("by", "bytes");

        until(() -> tab.has("dialog.sign-in[open]"));
        assertThat(tab.has("#panels :is(.chart, .card, tbody)")).isFalse();

        fetchBy("window.own");
        tab.focus("dialog.sign-in[open] input");
        tab.type("a key");
        tab.press("Enter");
        tab.awaitState("complete", PANELS);
        fetchBy("async () => { throw new TypeError('Failed to fetch'); }");
        tab.choose("refresh", "1m");
        tab.awaitState("stale", PANELS);

        tab.click("[name=sign-out]");

        until(() -> tab.text("#notice").contains("The service cannot be reached – "));
        assertThat(tab.has("#panels :is(.chart, .card, tbody)")).isFalse();
    }

    @Test
    void aRangeIsZoomedToByDraggingAndLeftByADoubleClick() {
        Instant noon = FROM.plus(Duration.ofHours(12));
        show(CLICKS, PANELS);

        tab.drag("#panel-over-time .u-over", 0.26, 0.49);

        // Of 48 hours, from the 12th on.
        eventually(() -> assertThat(tab.hash()).contains(from(noon)).contains("T00%3A00%3A00Z"));
        tab.awaitState("complete", PANELS);
        assertThat(cards()).startsWith(Long.toString(now.stream().filter(click -> !click.time().isBefore(noon)
                && click.time().isBefore(FROM.plus(Duration.ofDays(1)))).count()));
        tab.evaluate("document.querySelector('#panel-over-time .u-over')"
                + ".dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))");
        awaitHash(from(FROM));

        tab.awaitState("complete", "week");
        tab.click("#panel-week tbody tr:nth-child(2) td:nth-of-type(4) button");
        awaitHash(from(FROM.plus(Duration.ofHours(27))));
    }

    @Test
    void theLargestHaveLinesOfTheirOwnAndTheRestOne() {
        show(CLICKS + "&lines=referrer&stacked=on", "over-time");

        assertThat(tab.count("#panel-over-time .legend li")).isEqualTo(6);
        assertThat(tab.text("#panel-over-time .legend")).endsWith("other");
        List<List<String>> sums = overTime(1, 2, 3, 4, 5, 6).stream()
                .map(row -> List.of(Integer.toString(row.stream().mapToInt(Integer::parseInt).sum()))).toList();
        assertThat(sums).isEqualTo(columns(PageData.hours(now), 1));
        tab.screenshot("stacked");
    }

    @Test
    void aLineThatBeganLaterIsDrawnWhereItBegan() {
        events("page-later", "clicks").event("late", "2026-03-04T10:00:00Z").event("early", "2026-03-02T10:00:00Z")
                .event("early", "2026-03-04T11:00:00Z").writeTo(client, "windrow");

        show("dataset=clicks&tenant=page-later&last=&to=2026-03-05T00:00:00Z&granularity=day&lines=referrer", "over-time");

        assertThat(overTime(0, 1, 2)).containsExactly(List.of("2026-03-02", "1", ""), List.of("2026-03-03", "0", ""),
                List.of("2026-03-04", "1", "1"));
    }

    @Test
    void aListIsSortedSearchedExtendedAndSaved() {
        show(CLICKS, PANELS);
        tab.evaluate("window.kept = null; const own = URL.createObjectURL; URL.createObjectURL = (blob) => {"
                + " window.kept = blob; return own(blob); }; 0");
        tab.click("#panel-top-referrer .csv");
        eventually(() -> assertThat(tab.string("window.kept.text()")).startsWith("referrer,events,bytes").contains(HOSTILE));

        tab.click("#panel-top-referrer .more");
        eventually(() -> assertThat(top(0, 2, 3)).isEqualTo(PageData.top(now, 40)));
        tab.focus("#panel-top-referrer [name=search]");
        tab.type("script");
        assertThat(top(0)).containsExactly(List.of(HOSTILE));
        tab.evaluate("document.querySelectorAll('#panel-top-referrer .sort')[1].click()");
        awaitHash("by=bytes");
        tab.awaitState("complete", "top-referrer");
        assertThat(tab.text("#panel-top-referrer th[aria-sort=descending]")).startsWith("bytes");
    }

    @Test
    void darkOrLightIsTheSystemsOrChosenAndKept() {
        tab.prefer("dark");
        show(CLICKS, "over-time");
        assertThat(brightness()).isLessThan(60);
        tab.screenshot("dark");
        tab.prefer("light");
        eventually(() -> assertThat(brightness()).isGreaterThan(200));
        tab.prefer("dark");
        eventually(() -> assertThat(brightness()).isLessThan(60));

        tab.click("[name=theme]");
        assertThat(brightness()).isGreaterThan(200);
        open(CLICKS);
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
        assertThat(tab.evaluate("Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll('.chart')]"
                + ".map((chart) => chart.getBoundingClientRect().right))").asDouble()).isLessThanOrEqualTo(360);
        tab.screenshot("phone");
        tab.size(800, 740);
        eventually(
                () -> assertThat(tab.evaluate("document.querySelector('#panel-over-time .chart canvas').offsetWidth").asInt())
                        .isGreaterThan(500));
    }

    @Test
    void theKeyboardReachesAndReadsEverything() {
        show(CLICKS, PANELS);
        tab.press("Tab");
        assertThat(tab.string("document.activeElement.id")).isEqualTo("skip");
        tab.press("Enter");
        assertThat(tab.string("document.activeElement.id")).isEqualTo("panels");
        assertThat(tab.hash()).contains("dataset=clicks");
        tab.press("Tab");
        assertThat(tab.string("document.activeElement.className")).isEqualTo("card");

        List<List<String>> hours = PageData.hours(now);
        tab.focus("#panel-over-time .chart");
        tab.press("Home");
        assertThat(tab.text("#panel-over-time .readout")).startsWith(hours.get(0).get(0)).endsWith(" " + hours.get(0).get(1));
        tab.press("ArrowRight");
        assertThat(tab.text("#panel-over-time .readout")).startsWith(hours.get(1).get(0)).endsWith(" " + hours.get(1).get(1));
    }

    @Test
    void aTimeIsTypedAndCountsOnceItIsComplete() {
        OffsetDateTime time = FROM.atOffset(ZoneOffset.UTC);
        show(CLICKS, PANELS);

        // The year is the third part, whether the month or the day comes first.
        tab.focus("[name=from]");
        tab.press("ArrowRight", "ArrowRight", "2", "0", "2", "5");
        assertThat(tab.hash()).contains("from=" + FROM);
        tab.press("Enter");

        assertThat(tab.hash()).contains(from(time.minusYears(1).toInstant()));
        assertThat(tab.string("document.activeElement.name")).isEqualTo("from");

        tab.press("ArrowRight", "ArrowRight", "2", "0", "2", "4");
        tab.focus("[name=to]");

        awaitHash(from(time.minusYears(2).toInstant()));
        assertThat(tab.string("document.activeElement.name")).isEqualTo("to");

        for (String field : List.of("from", "to")) {
            tab.evaluate("document.querySelector('[name=" + field + "]').value = ''");
            tab.focus("[name=" + field + "]");
            tab.press("Enter");
        }

        assertThat(tab.hash()).contains("last=all").doesNotContain("from=", "to=");
    }

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
        return tab.strings("axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map((node) => "
                + "`${id}: ${node.html} ${node.failureSummary}`)))");
    }

    @Test
    void everythingHasANameForThoseWhoDoNotSeeIt() {
        show(CLICKS + "&where=referrer:-&refresh=live", PANELS);

        List<String> names = new ArrayList<>();
        for (JsonNode node : tab.call("Accessibility.getFullAXTree", Map.of()).get("nodes")) {
            boolean needsName = List.of("button", "combobox", "textbox", "image", "img", "table", "region", "columnheader",
                    "link", "heading").contains(node.at("/role/value").asText());
            if (needsName && !node.path("ignored").asBoolean()) {
                names.add(node.at("/name/value").asText().strip());
            }
        }
        assertThat(names).hasSizeGreaterThan(50).doesNotContain("");
    }
}
