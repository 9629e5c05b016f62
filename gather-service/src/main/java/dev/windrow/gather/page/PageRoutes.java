package dev.windrow.gather.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import org.apache.commons.codec.digest.DigestUtils;
import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** Serves the page and its files to anyone: they contain no data. */
@ApplicationScoped
class PageRoutes {

    /**
     * Loads and runs only the page's own files, calls only this service and the token provider, if any, and never runs text as
     * code: labels are arbitrary text from producers.
     */
    private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "connect-src 'self'%s; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'; trusted-types 'none'";

    private static final String FOR_EVER = "public, max-age=31536000, immutable";
    private static final String REVALIDATED = "no-cache";

    void add(@Observes Router router, PageConfig config,
            @ConfigProperty(name = "quarkus.oidc.token.issuer") Optional<String> issuer,
            @ConfigProperty(name = "quarkus.oidc.auth-server-url") Optional<String> server) {
        Optional<PageProvider> provider = PageProvider.of(config.oidc(), issuer, server);
        if (!config.enabled()) {
            return;
        }
        PageFiles page = PageFiles.read(provider.map(PageProvider::element).orElse(""));
        String policy = CONTENT_SECURITY_POLICY.formatted(provider.map(known -> " " + known.origin()).orElse(""));
        String tag = '"' + page.version() + '"';
        router.route("/").method(HttpMethod.GET).method(HttpMethod.HEAD).handler(
                context -> index(context, page.index(), tag, policy));
        page.files().forEach((name, file) -> router.route("/page/" + page.version() + "/" + name)
                .method(HttpMethod.GET).method(HttpMethod.HEAD).handler(context -> send(context, file, FOR_EVER)));
    }

    private static void index(RoutingContext context, PageFile index, String tag, String policy) {
        HttpServerResponse response = context.response();
        response.putHeader(HttpHeaders.ETAG, tag)
                .putHeader("Content-Security-Policy", policy)
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                .putHeader("X-Frame-Options", "DENY");
        String known = context.request().getHeader(HttpHeaders.IF_NONE_MATCH);
        if (known != null && known.contains(tag)) {
            response.putHeader(HttpHeaders.CACHE_CONTROL, REVALIDATED).setStatusCode(304).end();
            return;
        }
        send(context, index, REVALIDATED);
    }

    private static void send(RoutingContext context, PageFile file, String cacheControl) {
        HttpServerResponse response = context.response();
        // Quarkus marks every response as not to be compressed; this removes the mark.
        response.headers().remove(HttpHeaders.CONTENT_ENCODING);
        response.putHeader(HttpHeaders.CONTENT_TYPE, file.mediaType())
                .putHeader(HttpHeaders.CACHE_CONTROL, cacheControl)
                .putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin");
        response.end(Buffer.buffer(file.content()));
    }

    /**
     * One file of the page.
     *
     * @param content its bytes; must not be modified
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record PageFile(String mediaType, byte[] content) {

        static PageFile of(String name, byte[] content) {
            String extension = name.substring(name.lastIndexOf('.') + 1);
            String mediaType = switch (extension) {
                case "html" -> "text/html;charset=UTF-8";
                case "js" -> "text/javascript;charset=UTF-8";
                case "css" -> "text/css;charset=UTF-8";
                case "svg" -> "image/svg+xml";
                default -> throw new IllegalStateException(name + ": expected html, js, css or svg");
            };
            return new PageFile(mediaType, content);
        }
    }

    /**
     * The page's files. {@code index.html} lists all others, each as {@code page/@version@/NAME}. The version is a hash of
     * their content, so browsers may cache them forever, and modules that import each other by relative names always come from
     * the same build. {@code @oidc@} is replaced by the element that names the token provider, if there is one.
     *
     * @param version hash of all files, in hexadecimal
     * @param index the page, with the version filled in
     * @param files the other files by name
     */
    record PageFiles(String version, PageFile index, Map<String, PageFile> files) {

        private static final String FOLDER = "/page/";
        private static final String VERSION = "@version@";
        private static final String OIDC = "@oidc@";
        private static final Pattern NAMED = Pattern.compile("page/" + VERSION + "/([a-z0-9-]+\\.[a-z]+)\"");
        private static final int VERSION_DIGITS = 16;

        /**
         * Reads the files from the class path.
         *
         * @param oidc replaces {@code @oidc@}
         */
        static PageFiles read(String oidc) {
            String template = new String(content("index.html"), StandardCharsets.UTF_8).replace(OIDC, oidc);
            Map<String, PageFile> files = new LinkedHashMap<>();
            MessageDigest hash = DigestUtils.getSha256Digest();
            hash.update(template.getBytes(StandardCharsets.UTF_8));
            Matcher named = NAMED.matcher(template);
            while (named.find()) {
                PageFile file = PageFile.of(named.group(1), content(named.group(1)));
                files.put(named.group(1), file);
                hash.update(file.content());
            }
            String version = HexFormat.of().formatHex(hash.digest()).substring(0, VERSION_DIGITS);
            byte[] index = template.replace(VERSION, version).getBytes(StandardCharsets.UTF_8);
            return new PageFiles(version, PageFile.of("index.html", index), Map.copyOf(files));
        }

        private static byte[] content(String name) {
            try (InputStream stream = PageFiles.class.getResourceAsStream(FOLDER + name)) {
                if (stream == null) {
                    throw new IllegalStateException("index.html names " + name + ", which is not in the folder page");
                }
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * The OpenID Connect provider at which users of the page sign in.
     *
     * @param issuer its URL, as browsers reach it
     * @param scope the scopes to request
     */
    record PageProvider(URI issuer, String clientId, String scope) {

        private static final String ISSUER = "quarkus.oidc.token.issuer";
        private static final String SERVER = "quarkus.oidc.auth-server-url";
        private static final String ANY_ISSUER = "any";

        /**
         * Returns the configured provider; empty without a client id.
         *
         * @param tokenIssuer the required issuer of tokens, with the address that browsers use
         * @param server the provider as the service itself reaches it; also the issuer, unless another is named
         * @throws InvalidInputException with {@link Reason#INVALID_SETTING}
         */
        static Optional<PageProvider> of(PageConfig.Oidc config, Optional<String> tokenIssuer, Optional<String> server) {
            return config.clientId().map(clientId -> {
                Optional<String> named = tokenIssuer.filter(issuer -> !issuer.equals(ANY_ISSUER));
                String address = named.or(() -> server).orElseThrow(() -> new InvalidInputException(Reason.INVALID_SETTING,
                        SERVER, "set it to the provider's URL, because the page has a client id"));
                return new PageProvider(issuer(named.isPresent() ? ISSUER : SERVER, address), clientId, config.scope());
            });
        }

        private static URI issuer(String key, String address) {
            try {
                URI issuer = new URI(address);
                if (("https".equals(issuer.getScheme()) || "http".equals(issuer.getScheme())) && issuer.getHost() != null
                        && issuer.getRawQuery() == null && issuer.getRawFragment() == null) {
                    return issuer;
                }
            } catch (URISyntaxException notAnAddress) {
                // Reported below, like any other wrong address.
            }
            throw new InvalidInputException(Reason.INVALID_SETTING, key,
                    "expected a URL such as https://login.example/realm, found " + address);
        }

        /** Scheme, host and port, for the content security policy. */
        String origin() {
            return issuer.getScheme() + "://" + issuer.getHost() + (issuer.getPort() < 0 ? "" : ":" + issuer.getPort());
        }

        /** Returns the page's element that names the provider. */
        String element() {
            return "<meta name=\"oidc\" data-issuer=\"" + escaped(issuer.toString()) + "\" data-client-id=\""
                    + escaped(clientId)
                    + "\" data-scope=\"" + escaped(scope) + "\">\n";
        }

        private static String escaped(String text) {
            return text.replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;");
        }
    }

    /** The page at {@code /}. */
    @ConfigMapping(prefix = "windrow.gather.page")
    public interface PageConfig {

        /**
         * Whether the gatherer serves a page at {@code /} that shows its datasets in a browser. The page itself needs no
         * credential; its queries need those of any client.
         */
        @WithDefault("true")
        boolean enabled();

        /** How users of the page sign in at an OpenID Connect provider, where the API requires tokens. */
        Oidc oidc();

        /** How users of the page sign in at an OpenID Connect provider, where the API requires tokens. */
        interface Oidc {

            /**
             * The page's client id at the provider: a public client (without a secret) whose redirect URI is the page's
             * address. With it, the page offers the authorization code flow with PKCE; without it, users enter a token.
             *
             * @return client id
             */
            Optional<String> clientId();

            /**
             * Scopes that the page requests.
             *
             * @return scopes, separated by spaces
             */
            @WithDefault("openid")
            String scope();
        }
    }
}
