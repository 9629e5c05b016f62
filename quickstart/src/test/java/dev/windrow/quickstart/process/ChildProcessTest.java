package dev.windrow.quickstart.process;

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
        public static void main(String[] args) {
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
    void closingEndsTheProcess() {
        ChildProcess child = start(folder.resolve("idle.log"), Idle.class, List.of());
        child.awaitLog("idle");

        child.close();

        assertThat(ProcessHandle.of(child.pid()).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void aChildThatFailsToStartIsReportedWithTheEndOfItsLog() {
        try (ChildProcess child = ChildProcess.start("broken", folder.resolve("broken.log"), List.of(), List.of(),
                "no.such.Main", List.of())) {
            assertThatThrownBy(() -> child.awaitLog("ready")).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("broken ended with exit code 1 before it could say 'ready'")
                    .hasMessageContaining("no.such.Main");
        }
    }

    private static ChildProcess start(Path log, Class<?> main, List<String> arguments) {
        List<Path> classPath = List.of(System.getProperty("java.class.path").split(System.getProperty("path.separator")))
                .stream().map(Path::of).toList();
        return ChildProcess.start(main.getSimpleName(), log, classPath, List.of(), main.getName(), arguments);
    }
}
