package dev.windrow.testing;

/**
 * How many cases a test generates: few in a plain build, many with {@code -Dwindrow.slow} as in {@code .ci/run}, and any
 * number with a system property of the test's own.
 */
public final class GeneratedCases {

    private static final String SLOW = "windrow.slow";

    private GeneratedCases() {
    }

    /**
     * @param property the test's own, for example {@code windrow.fuzz}; its value wins
     * @param few in a plain build
     * @param many with {@code -Dwindrow.slow}
     */
    public static int count(String property, int few, int many) {
        return Integer.getInteger(property, isSlow() ? many : few);
    }

    /** Whether the build runs the slow tests too. */
    public static boolean isSlow() {
        return System.getProperty(SLOW) != null;
    }
}
