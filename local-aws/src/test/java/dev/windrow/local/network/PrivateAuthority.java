package dev.windrow.local.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A certificate authority that no platform trusts, with a server certificate that it signed; made by the JDK's keytool.
 *
 * @param bundle the authority's own certificate as PEM: what clients must trust
 * @param keyStore PKCS #12 with the server's key and chain under {@link #SERVER}
 */
public record PrivateAuthority(Path bundle, Path keyStore) {

    public static final String SERVER = "server";
    public static final String PASSWORD = "changeit";

    private static final String AUTHORITY = "authority";
    private static final long MAX_SECONDS = 60;

    /**
     * Makes both, in files that end with the JVM.
     *
     * @param names DNS names of the server
     */
    public static PrivateAuthority create(String... names) {
        try {
            Path folder = Files.createTempDirectory("windrow-authority");
            Path keyStore = folder.resolve("keys.p12");
            Path bundle = folder.resolve("authority.pem");
            Stream.of(folder, keyStore, bundle).forEach(path -> path.toFile().deleteOnExit());
            keytool(keyStore, "-genkeypair", "-alias", AUTHORITY, "-keyalg", "EC", "-dname", "CN=Private Authority", "-ext",
                    "bc:c");
            keytool(keyStore, "-genkeypair", "-alias", SERVER, "-keyalg", "EC", "-dname", "CN=server", "-signer", AUTHORITY,
                    "-ext", "SAN=" + Arrays.stream(names).map(name -> "dns:" + name).collect(Collectors.joining(",")));
            keytool(keyStore, "-exportcert", "-rfc", "-alias", AUTHORITY, "-file", bundle.toString());
            return new PrivateAuthority(bundle, keyStore);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while making a certificate", e);
        }
    }

    private static void keytool(Path keyStore, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore",
                keyStore.toString()));
        command.addAll(1, List.of(arguments));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        if (!keytool.waitFor(MAX_SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IllegalStateException("keytool failed: " + String.join(" ", arguments));
        }
    }
}
