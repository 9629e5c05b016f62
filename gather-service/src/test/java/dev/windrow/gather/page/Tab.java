package dev.windrow.gather.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.awaitility.core.ThrowingRunnable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.windrow.testing.Patience;

/** One tab of a browser: user actions, and what a user would see. */
public final class Tab implements AutoCloseable {

    private static final Path SCREENSHOTS = Path.of("target/screenshots");

    private final Chromium chromium;
    private final String context;
    private final String session;
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();

    Tab(Chromium chromium) {
        this.chromium = chromium;
        context = chromium.call("", "Target.createBrowserContext", Map.of()).get("browserContextId").asText();
        String target = chromium.call("", "Target.createTarget", Map.of("url", "about:blank", "browserContextId", context))
                .get("targetId").asText();
        session = chromium.call("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .get("sessionId").asText();
        chromium.listen(session, this::event);
        List.of("Page", "Runtime", "Log").forEach(domain -> call(domain + ".enable", Map.of()));
        size(1280, 900);
    }

    /** Collects script failures, violations of the content security policy and the page's own errors. */
    private void event(JsonNode event) {
        String method = event.get("method").asText();
        JsonNode parameters = event.get("params");
        // A refused request is logged as an error too, and may be the subject of the test.
        if (method.equals("Runtime.exceptionThrown") || (method.equals("Log.entryAdded")
                && !parameters.at("/entry/source").asText().equals("network"))) {
            faults.add(parameters.toString());
        }
    }

    JsonNode call(String method, Map<String, ?> parameters) {
        return chromium.call(session, method, parameters);
    }

    public void go(String address) {
        call("Page.navigate", Map.of("url", "about:blank"));
        call("Page.navigate", Map.of("url", address));
        until(() -> has("section.panel, #notice:not([hidden])"));
    }

    public static void until(Callable<Boolean> condition) {
        await().atMost(Patience.LIMIT).until(condition);
    }

    public static void eventually(ThrowingRunnable assertion) {
        await().atMost(Patience.LIMIT).untilAsserted(assertion);
    }

    public JsonNode evaluate(String expression) {
        JsonNode result = call("Runtime.evaluate",
                Map.of("expression", expression, "returnByValue", true, "awaitPromise", true, "userGesture", true));
        assertThat(result.has("exceptionDetails")).as("%s: %s", expression, result).isFalse();
        return result.at("/result/value");
    }

    public String string(String expression) {
        return evaluate(expression).asText();
    }

    List<String> strings(String expression) {
        return elements(evaluate(expression)).map(JsonNode::asText).toList();
    }

    public String hash() {
        return string("location.hash");
    }

    public void awaitState(String state, String... panels) {
        for (String panel : panels) {
            eventually(() -> assertThat(string("(({ dataset, innerText }) => `${dataset.state}: ${innerText}`)(document"
                    + ".getElementById('panel-" + panel + "'))")).as(panel).startsWith(state + ": "));
        }
    }

    public String text(String selector) {
        return string("document.querySelector(" + quoted(selector) + ").innerText");
    }

    public boolean has(String selector) {
        return count(selector) > 0;
    }

    int count(String selector) {
        return evaluate("document.querySelectorAll(" + quoted(selector) + ").length").asInt();
    }

    /** A table as rows of cells; a number has all its digits, without grouping. */
    public List<List<String>> rows(String selector) {
        JsonNode rows = evaluate("[...document.querySelectorAll(" + quoted(selector + " tbody tr") + ")].map((row) => "
                + "[...row.cells].map((cell) => cell.querySelector('data')?.value ?? cell.textContent))");
        return elements(rows).map(row -> elements(row).map(JsonNode::asText).toList()).toList();
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    public void click(String selector) {
        until(() -> has(selector));
        evaluate("document.querySelector(" + quoted(selector) + ").click()");
    }

    public void focus(String selector) {
        evaluate("document.querySelector(" + quoted(selector) + ").focus()");
    }

    public void choose(String name, String value) {
        String control = "[name=" + quoted(name) + "]";
        until(() -> has(control));
        evaluate("((control) => { control.value = " + quoted(value) + "; control.dispatchEvent(new Event('change')); })"
                + "(document.querySelector(" + quoted(control) + "))");
    }

    public void press(String... keys) {
        for (String key : keys) {
            String text = key.equals("Enter") ? "\r" : key.length() == 1 ? key : "";
            int code = switch (key) {
                case "Tab" -> 9;
                case "Enter" -> 13;
                case "End" -> 35;
                case "Home" -> 36;
                case "ArrowRight" -> 39;
                default -> 0;
            };
            call("Input.dispatchKeyEvent",
                    Map.of("type", "keyDown", "key", key, "code", key, "windowsVirtualKeyCode", code, "text", text));
            call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key, "code", key, "windowsVirtualKeyCode", code));
        }
    }

    /** Drags the mouse between two positions of an element, given as fractions of its width. */
    void drag(String selector, double from, double to) {
        JsonNode box = evaluate("((element) => { element.scrollIntoView({ block: 'center' }); return element"
                + ".getBoundingClientRect().toJSON(); })(document.querySelector(" + quoted(selector) + "))");
        mouse("mouseMoved", box, from, 0);
        mouse("mousePressed", box, from, 1);
        mouse("mouseMoved", box, to, 1);
        mouse("mouseReleased", box, to, 1);
    }

    private void mouse(String type, JsonNode box, double part, int clicks) {
        double x = box.get("left").asDouble() + part * box.get("width").asDouble();
        double y = box.get("top").asDouble() + box.get("height").asDouble() / 2;
        call("Input.dispatchMouseEvent", Map.of("type", type, "x", x, "y", y, "button", clicks == 0 ? "none" : "left",
                "buttons", clicks, "clickCount", clicks));
    }

    /** Runs a script before the scripts of each page that this tab loads from now on. */
    void before(String script) {
        call("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
    }

    public void type(String text) {
        call("Input.insertText", Map.of("text", text));
    }

    void size(int width, int height) {
        call("Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    }

    void prefer(String scheme) {
        call("Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Saves the whole page as an image in {@code target/screenshots}. */
    public void screenshot(String name) {
        JsonNode captured = call("Page.captureScreenshot", Map.of("captureBeyondViewport", true));
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(SCREENSHOTS.resolve(name + ".png"), Base64.getDecoder().decode(captured.get("data").asText()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }

    /** Closes the tab; fails if scripts failed or the content security policy was violated. */
    @Override
    public void close() {
        chromium.call("", "Target.disposeBrowserContext", Map.of("browserContextId", context));
        assertThat(faults).isEmpty();
    }
}
