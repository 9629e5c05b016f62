package dev.windrow.gather.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import org.apache.commons.codec.digest.DigestUtils;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.event.TenantNames;

/**
 * The accepted keys. Keys are long and random, so a plain hash is enough to make a stolen file worthless. A slow hash would
 * protect only keys chosen by humans, at a cost to each request.
 */
record ApiKeys(List<ApiKey> keys) {

    private static final Pattern SHA_256 = Pattern.compile("[0-9a-fA-F]{64}");
    private static final Set<String> FIELDS = Set.of("sha256", "tenant");

    /**
     * Reads the file of keys:
     *
     * <pre>
     * windrow:
     *   api-keys:
     *     dashboard:
     *       sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
     *       tenant: default
     * </pre>
     *
     * Problems name the field and never show a value: someone may have written the key itself.
     *
     * @throws InvalidInputException with {@link Reason#INVALID_API_KEYS}
     */
    static ApiKeys read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw invalid(file.toString(), "not a readable file of UTF-8 text");
        }
    }

    static ApiKeys parse(String yaml) {
        JsonNode root;
        try {
            root = new ObjectMapper(new YAMLFactory()).readTree(yaml);
        } catch (IOException e) {
            throw invalid("the file", "not valid YAML");
        }
        JsonNode entries = root.path("windrow").path("api-keys");
        if (!entries.isObject() || entries.isEmpty()) {
            throw invalid("windrow.api-keys", "expected at least one named key");
        }
        return new ApiKeys(entries.propertyStream().map(entry -> key(entry.getKey(), entry.getValue())).toList());
    }

    private static ApiKey key(String client, JsonNode entry) {
        String path = "windrow.api-keys." + client;
        if (!entry.isObject()) {
            throw invalid(path, "expected the fields sha256 and tenant");
        }
        entry.fieldNames().forEachRemaining(name -> {
            if (!FIELDS.contains(name)) {
                throw invalid(path + "." + name, "unknown field: the known ones are sha256 and tenant");
            }
        });
        String sha256 = entry.path("sha256").asText();
        if (!SHA_256.matcher(sha256).matches()) {
            throw invalid(path + ".sha256", "expected the SHA-256 of the key as 64 hexadecimal digits, in quotes");
        }
        String tenant = entry.path("tenant").asText();
        if (!TenantNames.isValid(tenant)) {
            throw invalid(path + ".tenant", "expected " + TenantNames.EXPECTED);
        }
        return new ApiKey(client, sha256.toLowerCase(Locale.ROOT), tenant);
    }

    private static InvalidInputException invalid(String field, String expectation) {
        return new InvalidInputException(Reason.INVALID_API_KEYS, field, expectation);
    }

    /** Returns the key with the hash of the presented one. Takes the same time whether or where it is found. */
    Optional<ApiKey> find(String presented) {
        byte[] hash = DigestUtils.sha256(presented);
        return keys.stream().filter(key -> MessageDigest.isEqual(hash, HexFormat.of().parseHex(key.sha256())))
                .reduce((first, last) -> last);
    }

}
