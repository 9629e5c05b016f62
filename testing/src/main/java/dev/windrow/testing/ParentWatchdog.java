package dev.windrow.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another main class, and halts the JVM when standard input ends. The test holds the other end of that pipe, and the
 * operating system closes it however the test ends. This class must depend on nothing but the JDK: it is the only test class on
 * the process's class path.
 */
public final class ParentWatchdog {

    private ParentWatchdog() {
    }

    /** @param args the main class to run, then its own arguments */
    public static void main(String[] args) throws ReflectiveOperationException {
        Thread watch = new Thread(ParentWatchdog::haltAtEndOfInput, "parent watchdog");
        watch.setDaemon(true);
        watch.start();
        String[] rest = Arrays.copyOfRange(args, 1, args.length);
        try {
            Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object) rest);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(args[0] + " failed", e.getCause());
        }
    }

    private static void haltAtEndOfInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // A broken pipe has ended, too.
        }
        // The servers belonged to the test: there is nothing left to drain to.
        Runtime.getRuntime().halt(1);
    }
}
