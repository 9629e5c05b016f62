package dev.windrow.bench.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;

/**
 * A self-signed certificate of the loopback address.
 *
 * @param keyStore in PKCS 12, for servers
 * @param pem the certificate, for clients to trust
 */
public record Certificate(Path keyStore, Path pem) {

    private static final String PASSWORD = "windrow";
    private static final String CIPHER = "TLS_AES_128_GCM_SHA256";

    /** The certificate of a folder, made by the JDK's keytool if it is not there yet. */
    public static Certificate in(Path folder) {
        Certificate certificate = new Certificate(folder.resolve("server.p12"), folder.resolve("server.pem"));
        if (!Files.exists(certificate.pem)) {
            try {
                Files.createDirectories(folder);
                Files.deleteIfExists(certificate.keyStore);
                certificate.keytool("-genkeypair", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "SAN=IP:127.0.0.1",
                        "-validity", "365");
                certificate.keytool("-exportcert", "-rfc", "-file", certificate.pem.toString());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return certificate;
    }

    private void keytool(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", "server", "-storetype", "PKCS12", "-keystore", keyStore.toString(), "-storepass",
                PASSWORD));
        if (new ProcessBuilder(command).inheritIO().start().onExit().join().exitValue() != 0) {
            throw new IOException(command + " failed");
        }
    }

    /** Of a server that shows it, and leaves clients no choice of a cipher: each has another favorite. */
    public HttpServerOptions options() {
        return new HttpServerOptions().setSsl(true).addEnabledCipherSuite(CIPHER)
                .setKeyCertOptions(new PfxOptions().setPath(keyStore.toString()).setPassword(PASSWORD));
    }
}
