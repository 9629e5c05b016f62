package dev.windrow.gather.security;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

import org.apache.commons.codec.digest.DigestUtils;

/**
 * The accepted keys. Keys are long and random, so a plain hash is enough to make a stolen file worthless; a slow hash would
 * protect only keys that people choose, at a cost to each request.
 */
public final class ApiKeys {

    private final List<ApiKey> keys;

    ApiKeys(List<ApiKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /** The key whose hash this one has. Takes the same time wherever it is found, if at all. */
    Optional<ApiKey> find(String presented) {
        byte[] hash = DigestUtils.sha256(presented);
        ApiKey found = null;
        for (ApiKey key : keys) {
            if (MessageDigest.isEqual(hash, HexFormat.of().parseHex(key.sha256()))) {
                found = key;
            }
        }
        return Optional.ofNullable(found);
    }
}
