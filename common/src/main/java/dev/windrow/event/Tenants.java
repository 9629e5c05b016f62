package dev.windrow.event;

import java.util.regex.Pattern;

/** Names of tenants. They stand unescaped at the front of every key, so that IAM conditions stay readable. */
public final class Tenants {

    /** The tenant of events that name none. */
    public static final String DEFAULT = "default";

    /** What {@link #isValid} takes, for error messages. */
    public static final String EXPECTED = "1 to 64 letters, digits, '.', '_' or '-', beginning with a letter or digit";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private Tenants() {
    }

    /** Whether the text can name a tenant. */
    public static boolean isValid(String name) {
        return NAME.matcher(name).matches();
    }
}
