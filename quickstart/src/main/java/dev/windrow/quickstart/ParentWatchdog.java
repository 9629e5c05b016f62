package dev.windrow.quickstart;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another main class for as long as standard input stays open. The parent process holds the other end of that pipe,
 * and the operating system closes it however the parent ends, so a child never outlives it, not even a parent
 * that was killed.
 */
public final class ParentWatchdog {

    private ParentWatchdog() {
    }

    /** @param args the main class to run, then its own arguments */
    public static void main(String[] args) throws ReflectiveOperationException {
        Thread watch = new Thread(ParentWatchdog::exitAtEndOfInput, "parent watchdog");
        watch.setDaemon(true);
        watch.start();
        String[] rest = Arrays.copyOfRange(args, 1, args.length);
        try {
            Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object) rest);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(args[0] + " failed", e.getCause());
        }
    }

    private static void exitAtEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // whatever the parent writes is ignored
            }
        } catch (IOException e) {
            // a broken pipe is an ended one
        }
        System.exit(0);
    }
}
