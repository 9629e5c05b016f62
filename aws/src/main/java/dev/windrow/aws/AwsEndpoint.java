package dev.windrow.aws;

import java.net.URI;

/**
 * Where requests to a service go.
 *
 * @param service its name in signatures
 * @param region whose endpoint it is
 */
public record AwsEndpoint(String service, String region, URI uri) {

    /** The path of all requests. */
    public String path() {
        String path = uri.getRawPath();
        return path == null || path.isEmpty() ? "/" : path;
    }
}
