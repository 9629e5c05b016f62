package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.windrow.testing.Patience;

class ChildProcessTest {

    @TempDir
    Path folder;

    /** A child that does nothing until it is ended. */
    public static final class Idle {
        public static void main(String[] args) throws InterruptedException {
            System.out.println("idle, process " + ProcessHandle.current().pid());
            new CountDownLatch(1).await();
        }
    }

    /** A child that starts an idle one, says so, and is then killed without a chance to clean up. */
    public static final class Parent {
        public static void main(String[] args) throws InterruptedException {
            ChildProcess child = start(Path.of(args[0]), Idle.class, List.of());
            child.awaitLog("idle");
            System.out.println("child " + child.pid());
            Runtime.getRuntime().halt(9);
        }
    }

    @Test
    void aChildEndsWhenItsParentIsKilled() throws Exception {
        // given a process that starts a child and is killed
        Path parentLog = folder.resolve("parent.log");
        try (ChildProcess parent = start(parentLog, Parent.class, List.of(folder.resolve("child.log").toString()))) {
            parent.awaitLog("child ");
        }
        long child = Long.parseLong(Files.readString(parentLog).strip().replace("child ", ""));

        // then the child ends too
        await().atMost(Patience.LIMIT).until(() -> ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void closingEndsTheProcess() throws InterruptedException {
        ChildProcess child = start(folder.resolve("idle.log"), Idle.class, List.of());
        child.awaitLog("idle");

        child.close();

        assertThat(ProcessHandle.of(child.pid()).filter(ProcessHandle::isAlive)).isEmpty();
    }

    /** A child that logs much before it says why it ends. */
    public static final class Refusing {
        public static void main(String[] args) {
            System.out.println("2026-11-20 10:31:32 ERROR cannot go on");
            System.out.println("\tat some.where(Else.java:1)");
            for (int i = 0; i < 50; i++) {
                System.out.println("2026-11-20 10:31:32 INFO all is well " + i);
            }
            System.out.println(args[0]);
            System.exit(3);
        }
    }

    @Test
    void aChildThatFailsToStartIsReportedWithTheReasonAndWhatToDo() {
        Path log = folder.resolve("broken.log");
        try (ChildProcess child = ChildProcess.start("broken", log, "", List.of(), "no.such.Main", List.of())) {
            assertThatThrownBy(() -> child.awaitLog("ready")).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("broken ended with exit code 1 before it could say 'ready'.")
                    .hasMessageContaining("no.such.Main")
                    .hasMessageEndingWith("Correct what the log names, and try again. The whole log: " + log);
        }
    }

    @Test
    void reasonsAreToldWithoutStackTracesAndWhatIsInOrder() {
        Path log = folder.resolve("refusing.log");
        try (ChildProcess child = start(log, Refusing.class, List.of("not started: the file is wrong"))) {
            assertThatThrownBy(() -> child.awaitLog("ready")).hasMessage("""
                    Refusing ended with exit code 3 before it could say 'ready'.
                    Its log says
                      2026-11-20 10:31:32 ERROR cannot go on
                      not started: the file is wrong
                    Correct what the log names, and try again. The whole log: %s""".formatted(log));
        }
    }

    @Test
    void ofATakenPortAndOfTooLittleMemoryItIsSaidWhatToDo() {
        try (ChildProcess child = start(folder.resolve("port.log"), Refusing.class,
                List.of("java.net.BindException: in use"))) {
            assertThatThrownBy(() -> child.awaitLog("ready")).hasMessageContaining("choose others with -Dport=N");
        }
        try (ChildProcess child = start(folder.resolve("heap.log"), Refusing.class, List.of("java.lang.OutOfMemoryError"))) {
            assertThatThrownBy(() -> child.awaitLog("ready")).hasMessageContaining("There is too little memory");
        }
    }

    private static ChildProcess start(Path log, Class<?> main, List<String> arguments) {
        return ChildProcess.start(main.getSimpleName(), log, System.getProperty("java.class.path"), List.of(), main.getName(),
                arguments);
    }
}
