package dev.windrow.event;

/** Names of tenants. They are the unescaped start of every key, so that IAM conditions stay readable. */
public final class TenantNames {

    /** The tenant of events that name none. */
    public static final String DEFAULT = "default";

    /** The names that {@link #isValid} accepts, for error messages. */
    public static final String EXPECTED = "1 to 64 letters, digits, '.', '_' or '-', beginning with a letter or digit";

    private static final int MAX_LENGTH = 64;

    private TenantNames() {
    }

    public static boolean isValid(String name) {
        // Called for each event: a regular expression would take as long as reading the event.
        boolean valid = !name.isEmpty() && name.length() <= MAX_LENGTH && isLetterOrDigit(name.charAt(0));
        for (int i = 1; valid && i < name.length(); i++) {
            char c = name.charAt(i);
            valid = isLetterOrDigit(c) || c == '.' || c == '_' || c == '-';
        }
        return valid;
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
