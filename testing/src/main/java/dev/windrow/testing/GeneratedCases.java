package dev.windrow.testing;

/**
 * The number of cases that a test generates: few in a plain build, many with {@code -Dwindrow.slow} as in {@code .ci/run}, and
 * any number with a system property of the test.
 */
public final class GeneratedCases {

    private static final String SLOW = "windrow.slow";

    private GeneratedCases() {
    }

    /**
     * @param property the test's own property, such as {@code windrow.fuzz}, which takes precedence
     * @param few the number in a plain build
     * @param many the number with {@code -Dwindrow.slow}
     */
    public static int count(String property, int few, int many) {
        return Integer.getInteger(property, isSlow() ? many : few);
    }

    /** Whether the build runs the slow tests too. */
    public static boolean isSlow() {
        return System.getProperty(SLOW) != null;
    }
}
