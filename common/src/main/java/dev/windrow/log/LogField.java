package dev.windrow.log;

/**
 * One field of a log record.
 *
 * @param key its key
 * @param value on one line and of bounded length
 */
public record LogField(LogKey key, String value) {

    /** As text: {@code key=value}, in double quotes where it would not be clear where the value ends (logfmt). */
    @Override
    public String toString() {
        return key.word() + "=" + (isPlain() ? value : "\"" + value.replace("\"", "\\\"") + "\"");
    }

    private boolean isPlain() {
        return !value.isEmpty() && value.chars().noneMatch(c -> c == ' ' || c == '"' || c == '=' || c == ',');
    }
}
