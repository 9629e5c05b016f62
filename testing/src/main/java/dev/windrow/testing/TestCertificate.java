package dev.windrow.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A certificate of the test's own, made by the JDK's keytool. */
public final class TestCertificate {

    public static final String PASSWORD = "changeit";

    private static final long MAX_SECONDS = 60;

    private TestCertificate() {
    }

    /** Makes a PKCS #12 file that ends with the JVM. */
    public static Path create() {
        try {
            Path folder = Files.createTempDirectory("windrow-certificate");
            Path file = folder.resolve("server.p12");
            folder.toFile().deleteOnExit();
            file.toFile().deleteOnExit();
            Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=localhost",
                    "-ext", "SAN=dns:localhost,ip:127.0.0.1", "-storetype", "PKCS12", "-storepass", PASSWORD,
                    "-keystore", file.toString()).inheritIO().start();
            if (!keytool.waitFor(MAX_SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
                throw new IllegalStateException("keytool made no certificate");
            }
            return file;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while making a certificate", e);
        }
    }
}
