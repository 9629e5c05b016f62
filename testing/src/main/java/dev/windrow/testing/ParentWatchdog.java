package dev.windrow.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another main class, and halts the JVM when standard input ends. The test holds the other end of that pipe, and the
 * operating system closes it however the test ends. It must need nothing but the JDK: it is the only class of the tests
 * on the process's class path.
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
            // a broken pipe is an ended one
        }
        // The servers were the test's: there is nobody left to drain to.
        Runtime.getRuntime().halt(1);
    }
}
