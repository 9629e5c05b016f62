package dev.windrow.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import javax.crypto.Mac;

import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.codec.digest.HmacAlgorithms;
import org.apache.commons.codec.digest.HmacUtils;
import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * Signs requests to an AWS service with Signature Version 4 (SigV4). All requests are POSTs to one path with few different
 * headers, and signatures have times in whole seconds. So the common part of all requests of a second is digested once, and a
 * signature costs little more than the digest of its body. The key of a day is derived once. Thread-safe.
 */
public final class SigV4Signer {

    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String TERMINATOR = "aws4_request";
    private static final String TOKEN = "x-amz-security-token";
    private static final char DELETE = 127;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final int DAY_CHARACTERS = 8;

    private final AwsCredentialsIdentity credentials;
    private final @Nullable String token;
    private final String service;
    private final String region;
    private final String path;
    private final Supplier<MessageDigest> digests = digest(new byte[0]);
    private volatile @Nullable DayKey dayKey;
    private volatile Second latest = new Second(Instant.MIN.getEpochSecond());

    private record DayKey(String day, byte[] key) {
    }

    /** The prepared parts of the requests of one second, by their headers. */
    private record Second(long epochSecond, Map<Map<String, String>, Prepared> byHeaders) {

        Second(long epochSecond) {
            this(epochSecond, new ConcurrentHashMap<>());
        }
    }

    /**
     * Everything in a signature except the body.
     *
     * @param time the header x-amz-date
     * @param request supplies a digest of the canonical request, up to the digest of its body
     * @param toSign supplies a MAC of the string to sign, up to the digest of the canonical request
     * @param authorization the header up to the signature
     */
    private record Prepared(String time, Supplier<MessageDigest> request, Supplier<Mac> toSign, String authorization) {
    }

    /**
     * @param service its name in signatures, such as {@code dynamodb}
     * @param path the path of all requests, such as {@code /}
     */
    public SigV4Signer(AwsCredentialsIdentity credentials, String service, String region, String path) {
        requireVisible("access key", credentials.accessKeyId());
        this.credentials = credentials;
        this.token = credentials instanceof AwsSessionCredentialsIdentity session ? session.sessionToken() : null;
        if (token != null) {
            requireVisible("session token", token);
        }
        this.service = service;
        this.region = region;
        this.path = path;
    }

    /** Both values are sent in headers, where a line break would end the header and start another one. */
    private static void requireVisible(String what, String value) {
        if (!value.chars().allMatch(c -> c > ' ' && c < DELETE)) {
            throw new IllegalArgumentException("the " + what + " has characters that are not visible ASCII");
        }
    }

    /**
     * Signs a POST.
     *
     * @param headers all headers to sign, by lower-case name, including {@code host}; must not change later
     * @param added receives the headers to add
     */
    public void sign(Map<String, String> headers, byte[] body, Instant now, BiConsumer<String, String> added) {
        Second second = latest;
        if (second.epochSecond() != now.getEpochSecond()) {
            second = new Second(now.getEpochSecond());
            latest = second;
        }
        Prepared prepared = second.byHeaders().computeIfAbsent(headers, signed -> prepare(signed, TIME.format(now)));
        if (token != null) {
            added.accept(TOKEN, token);
        }
        added.accept("x-amz-date", prepared.time());
        MessageDigest request = prepared.request().get();
        request.update(hex(digests.get().digest(body)));
        added.accept("authorization", prepared.authorization()
                + HexFormat.of().formatHex(prepared.toSign().get().doFinal(hex(request.digest()))));
    }

    private Prepared prepare(Map<String, String> headers, String time) {
        SortedMap<String, String> signed = new TreeMap<>(headers);
        signed.put("x-amz-date", time);
        if (token != null) {
            signed.put(TOKEN, token);
        }
        StringBuilder request = new StringBuilder(512).append("POST\n").append(path).append("\n\n");
        signed.forEach((name, value) -> request.append(name).append(':').append(value).append('\n'));
        String names = String.join(";", signed.keySet());
        request.append('\n').append(names).append('\n');
        String day = time.substring(0, DAY_CHARACTERS);
        String scope = day + '/' + region + '/' + service + '/' + TERMINATOR;
        return new Prepared(time, digest(request.toString().getBytes(UTF_8)),
                mac(key(day), (ALGORITHM + '\n' + time + '\n' + scope + '\n').getBytes(UTF_8)),
                ALGORITHM + " Credential=" + credentials.accessKeyId() + '/' + scope + ", SignedHeaders=" + names
                        + ", Signature=");
    }

    private byte[] key(String day) {
        DayKey known = dayKey;
        if (known != null && known.day().equals(day)) {
            return known.key();
        }
        byte[] key = ("AWS4" + credentials.secretAccessKey()).getBytes(UTF_8);
        for (String part : List.of(day, region, service, TERMINATOR)) {
            key = new HmacUtils(HmacAlgorithms.HMAC_SHA_256, key).hmac(part);
        }
        dayKey = new DayKey(day, key);
        return key;
    }

    private static byte[] hex(byte[] digest) {
        return HexFormat.of().formatHex(digest).getBytes(UTF_8);
    }

    private static Supplier<MessageDigest> digest(byte[] prefix) {
        return started(() -> {
            MessageDigest digest = DigestUtils.getSha256Digest();
            digest.update(prefix);
            return digest;
        }, digest -> (MessageDigest) digest.clone());
    }

    private static Supplier<Mac> mac(byte[] key, byte[] prefix) {
        return started(() -> {
            Mac mac = HmacUtils.getInitializedMac(HmacAlgorithms.HMAC_SHA_256, key);
            mac.update(prefix);
            return mac;
        }, mac -> (Mac) mac.clone());
    }

    private interface Cloning<D> {

        /** @throws CloneNotSupportedException if its provider does not support it */
        D copy(D digest) throws CloneNotSupportedException;
    }

    /**
     * Supplies digests of a common prefix, which each caller continues on its own. They are cloned if the platform's
     * cryptography provider supports that, as Java's own does, and otherwise (PKCS#11) computed again.
     *
     * @param start creates a digest of the common prefix
     */
    private static <D> Supplier<D> started(Supplier<D> start, Cloning<D> cloning) {
        D started = start.get();
        return () -> {
            try {
                return cloning.copy(started);
            } catch (CloneNotSupportedException e) {
                return start.get();
            }
        };
    }
}
