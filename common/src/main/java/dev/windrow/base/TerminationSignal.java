package dev.windrow.base;

import java.lang.reflect.Proxy;

/**
 * Makes SIGTERM a normal stop. By default a JVM exits with code 143 (128 and the signal's number), which supervisors such
 * as Kubernetes count as a failure.
 * <p>
 * The class that handles signals is not part of the Java platform's API, and a compiler warns of each use, so it is looked
 * up by name. Where a runtime has none, the default remains.
 */
public final class TerminationSignal {

    private static final String TERMINATION = "TERM";

    private TerminationSignal() {
    }

    /**
     * Runs an action instead of ending the JVM at once; the action must end it. Only the last action counts.
     *
     * @param stop is run on a thread of its own for each signal; must not block for long
     */
    public static void handle(Runnable stop) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object listener = Proxy.newProxyInstance(TerminationSignal.class.getClassLoader(), new Class<?>[] { handler },
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "handle" -> {
                            stop.run();
                            yield null;
                        }
                        case "equals" -> proxy == arguments[0];
                        case "hashCode" -> System.identityHashCode(proxy);
                        default -> TERMINATION;
                    });
            signal.getMethod("handle", signal, handler).invoke(null,
                    signal.getConstructor(String.class).newInstance(TERMINATION), listener);
        } catch (ReflectiveOperationException absent) {
            // The JVM's own handler ends it, with exit code 143.
        }
    }
}
