package dev.windrow.gather.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.windrow.testing.Patience;

/** One tab of a browser: what a person would do in it, and what they would see. */
public final class Tab implements AutoCloseable {

    private static final Path SCREENSHOTS = Path.of("target/screenshots");

    /** A table as rows of cells; a number has all its digits, without groups. */
    private static final String ROWS = """
            (selector) => [...document.querySelectorAll(selector + ' tbody tr')].map((row) => [...row.cells].map((cell) =>
              cell.querySelector('data') ? cell.querySelector('data').value : cell.textContent))""";

    private final DevTools devTools;
    private final String context;
    private final String session;
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();

    private Tab(DevTools devTools, String context, String session) {
        this.devTools = devTools;
        this.context = context;
        this.session = session;
    }

    static Tab open(DevTools devTools) {
        String context = devTools.call("", "Target.createBrowserContext", Map.of()).get("browserContextId").asText();
        String target = devTools.call("", "Target.createTarget", Map.of("url", "about:blank", "browserContextId", context))
                .get("targetId").asText();
        String session = devTools.call("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .get("sessionId").asText();
        Tab tab = new Tab(devTools, context, session);
        devTools.listen(session, tab::event);
        for (String domain : List.of("Page", "Runtime", "Log")) {
            tab.call(domain + ".enable", Map.of());
        }
        tab.size(1280, 900);
        return tab;
    }

    /** Scripts that failed, and what the content security policy or the page's own errors say. */
    private void event(JsonNode event) {
        JsonNode parameters = event.get("params");
        switch (event.get("method").asText()) {
            case "Runtime.exceptionThrown" -> faults.add(parameters.at("/exceptionDetails").toString());
            case "Log.entryAdded" -> {
                // A request that is refused is logged as an error too, and may be what the test is about.
                if (!parameters.at("/entry/source").asText().equals("network")) {
                    faults.add(parameters.at("/entry").toString());
                }
            }
            default -> {
            }
        }
    }

    JsonNode call(String method, Map<String, ?> parameters) {
        return devTools.call(session, method, parameters);
    }

    public void go(String address) {
        call("Page.navigate", Map.of("url", "about:blank"));
        call("Page.navigate", Map.of("url", address));
        await().atMost(Patience.LIMIT)
                .until(() -> evaluate("document.querySelector('section.panel, #notice:not([hidden])') !== null").asBoolean());
    }

    public JsonNode evaluate(String expression) {
        JsonNode result = call("Runtime.evaluate",
                Map.of("expression", expression, "returnByValue", true, "awaitPromise", true, "userGesture", true));
        assertThat(result.has("exceptionDetails")).as("%s: %s", expression, result).isFalse();
        return result.at("/result/value");
    }

    /** Waits until panels have that state. */
    public void awaitState(String state, String... panels) {
        for (String panel : panels) {
            await().atMost(Patience.LIMIT).untilAsserted(
                    () -> assertThat(evaluate("document.getElementById('panel-" + panel + "').dataset.state + ': '"
                            + " + document.getElementById('panel-" + panel + "').innerText").asText()).as(panel)
                            .startsWith(state + ": "));
        }
    }

    private void awaitElement(String selector) {
        await().atMost(Patience.LIMIT).until(() -> has(selector));
    }

    public String text(String selector) {
        return evaluate("document.querySelector(" + quoted(selector) + ").innerText").asText();
    }

    public boolean has(String selector) {
        return evaluate("document.querySelector(" + quoted(selector) + ") !== null").asBoolean();
    }

    public List<List<String>> rows(String selector) {
        List<List<String>> rows = new ArrayList<>();
        evaluate("(" + ROWS + ")(" + quoted(selector) + ")").forEach(row -> {
            List<String> cells = new ArrayList<>();
            row.forEach(cell -> cells.add(cell.asText()));
            rows.add(cells);
        });
        return rows;
    }

    public void click(String selector) {
        awaitElement(selector);
        evaluate("document.querySelector(" + quoted(selector) + ").click()");
    }

    public void choose(String name, String value) {
        awaitElement("[name=\"" + name + "\"]");
        evaluate("(() => { const control = document.querySelector('[name=\"" + name + "\"]'); control.value = "
                + quoted(value) + "; control.dispatchEvent(new Event('change', { bubbles: true })); })()");
    }

    public void press(String key) {
        for (String type : List.of("keyDown", "keyUp")) {
            call("Input.dispatchKeyEvent", Map.of("type", type, "key", key, "code", key, "windowsVirtualKeyCode",
                    switch (key) {
                        case "Tab" -> 9;
                        case "Enter" -> 13;
                        case "Home" -> 36;
                        case "ArrowRight" -> 39;
                        default -> 0;
                    }, "text", key.equals("Enter") && type.equals("keyDown") ? "\r" : ""));
        }
    }

    /** Digits as a keyboard sends them: a field for a time takes nothing else. */
    public void pressDigits(String digits) {
        for (char digit : digits.toCharArray()) {
            String key = String.valueOf(digit);
            call("Input.dispatchKeyEvent", Map.of("type", "keyDown", "key", key, "text", key));
            call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key));
        }
    }

    /** Presses the mouse at a place of an element, moves it, and lets it go: parts of the element's width. */
    void drag(String selector, double from, double to) {
        JsonNode box = evaluate("(() => { const element = document.querySelector(" + quoted(selector) + "); "
                + "element.scrollIntoView({ block: 'center' }); const { left, top, width, height } = element.getBoundingClientRect(); "
                + "return { left, width, middle: top + height / 2 }; })()");
        double left = box.get("left").asDouble();
        double width = box.get("width").asDouble();
        mouse("mouseMoved", left + from * width, box, 0);
        mouse("mousePressed", left + from * width, box, 1);
        mouse("mouseMoved", left + to * width, box, 1);
        mouse("mouseReleased", left + to * width, box, 1);
    }

    private void mouse(String type, double x, JsonNode box, int clicks) {
        call("Input.dispatchMouseEvent", Map.of("type", type, "x", x, "y", box.get("middle").asDouble(), "button",
                clicks == 0 ? "none" : "left", "buttons", clicks, "clickCount", clicks));
    }

    /** Runs a script before those of each page that this tab loads from now on. */
    void before(String script) {
        call("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
    }

    public void type(String text) {
        call("Input.insertText", Map.of("text", text));
    }

    public void size(int width, int height) {
        call("Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    }

    public void prefer(String scheme) {
        call("Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Keeps the whole page as an image in {@code target/screenshots}. */
    public void screenshot(String name) {
        keep(name + ".png", call("Page.captureScreenshot", Map.of("captureBeyondViewport", true)));
    }

    private static void keep(String file, JsonNode captured) {
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(SCREENSHOTS.resolve(file), Base64.getDecoder().decode(captured.get("data").asText()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What no page should cause: failed scripts and violations of the content security policy. */
    public List<String> faults() {
        return List.copyOf(faults);
    }

    private static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }

    @Override
    public void close() {
        devTools.call("", "Target.disposeBrowserContext", Map.of("browserContextId", context));
    }
}
