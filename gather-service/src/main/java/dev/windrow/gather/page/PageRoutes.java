package dev.windrow.gather.page;

import java.net.URI;
import java.util.Optional;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import org.eclipse.microprofile.config.inject.ConfigProperty;

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
     * Only the page's own files are loaded and run, only this service and the provider of tokens, if any, are called, and
     * no text becomes code: labels are whatever producers wrote.
     */
    private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "connect-src 'self'%s; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'; trusted-types 'none'";

    private static final String FOR_EVER = "public, max-age=31536000, immutable";
    private static final String REVALIDATED = "no-cache";

    private final PageConfig config;
    private final Optional<PageProvider> provider;

    PageRoutes(PageConfig config, @ConfigProperty(name = "quarkus.oidc.auth-server-url") Optional<URI> server) {
        this.config = config;
        this.provider = PageProvider.of(config.oidc(), server);
    }

    void add(@Observes Router router) {
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
        // Quarkus marks every response as not to be compressed, until the mark is removed.
        response.headers().remove(HttpHeaders.CONTENT_ENCODING);
        response.putHeader(HttpHeaders.CONTENT_TYPE, file.mediaType())
                .putHeader(HttpHeaders.CACHE_CONTROL, cacheControl)
                .putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin");
        response.end(Buffer.buffer(file.content()));
    }
}
