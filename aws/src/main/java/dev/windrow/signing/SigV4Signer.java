package dev.windrow.signing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * Signs requests to an AWS service as AWS's Signature Version 4 wants it. All of them are POSTs to one path with few
 * headers, and the key of a day is derived once, so that a signature costs little more than two digests of the request.
 */
public final class SigV4Signer {

    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String TERMINATOR = "aws4_request";
    private static final String MAC = "HmacSHA256";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'")
            .withZone(ZoneOffset.UTC);
    private static final int DAY_CHARACTERS = 8;

    private final AwsCredentialsIdentity credentials;
    private final String service;
    private final String region;
    private final String path;
    private volatile @Nullable DayKey dayKey;

    private record DayKey(String day, SecretKeySpec key) {
    }

    /**
     * @param service its name in signatures, such as {@code dynamodb}
     * @param path of all requests, such as {@code /}
     */
    public SigV4Signer(AwsCredentialsIdentity credentials, String service, String region, String path) {
        this.credentials = credentials;
        this.service = service;
        this.region = region;
        this.path = path;
    }

    /**
     * Signs a POST.
     *
     * @param headers all that are to be signed, by their names in lower case; {@code host} among them
     * @param added receives the headers to be added
     */
    public void sign(Map<String, String> headers, byte[] body, Instant now, BiConsumer<String, String> added) {
        String time = TIME.format(now);
        SortedMap<String, String> signed = new TreeMap<>(headers);
        signed.put("x-amz-date", time);
        if (credentials instanceof AwsSessionCredentialsIdentity session) {
            signed.put("x-amz-security-token", session.sessionToken());
            added.accept("x-amz-security-token", session.sessionToken());
        }
        StringBuilder request = new StringBuilder(512).append("POST\n").append(path).append("\n\n");
        signed.forEach((name, value) -> request.append(name).append(':').append(value).append('\n'));
        String names = String.join(";", signed.keySet());
        request.append('\n').append(names).append('\n').append(digest(body));
        String day = time.substring(0, DAY_CHARACTERS);
        String scope = day + '/' + region + '/' + service + '/' + TERMINATOR;
        String toSign = ALGORITHM + '\n' + time + '\n' + scope + '\n' + digest(request.toString().getBytes(UTF_8));
        added.accept("x-amz-date", time);
        added.accept("authorization", ALGORITHM + " Credential=" + credentials.accessKeyId() + '/' + scope
                + ", SignedHeaders=" + names + ", Signature=" + HexFormat.of().formatHex(mac(key(day), toSign)));
    }

    private SecretKeySpec key(String day) {
        DayKey known = dayKey;
        if (known != null && known.day().equals(day)) {
            return known.key();
        }
        byte[] key = ("AWS4" + credentials.secretAccessKey()).getBytes(UTF_8);
        for (String part : new String[] { day, region, service, TERMINATOR }) {
            key = mac(new SecretKeySpec(key, MAC), part);
        }
        SecretKeySpec derived = new SecretKeySpec(key, MAC);
        dayKey = new DayKey(day, derived);
        return derived;
    }

    private static byte[] mac(SecretKeySpec key, String text) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + MAC, e);
        }
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
