package dev.windrow.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.MessageDigestSpi;
import java.security.Provider;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

import javax.crypto.Mac;
import javax.crypto.MacSpi;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.testing.Seeds;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/** Signatures are those of the SDK's signer. */
class SigV4SignerTest {

    private static final long SEED = Seeds.seed("sigv4 signer");
    private static final String CONTENT_SHA_256 = "x-amz-content-sha256";
    private static final int CASES = 200;

    private final SplittableRandom random = new SplittableRandom(SEED);

    @Test
    void signaturesAreThoseOfTheSdk() {
        for (int i = 0; i < CASES; i++) {
            AwsCredentialsIdentity credentials = random.nextBoolean()
                    ? AwsCredentialsIdentity.create(text(20), text(40))
                    : AwsSessionCredentialsIdentity.create(text(20), text(40), text(300) + "/+=");
            String region = "region-" + random.nextInt(3);
            SigV4Signer signer = new SigV4Signer(credentials, "dynamodb", region, "/");
            Instant time = Instant.ofEpochSecond(random.nextLong(4_000_000_000L));
            // Two of a second share its text, those of a day its key; one of the next day has another.
            for (Instant now : new Instant[] { time, time, time.plusSeconds(1), time.plus(Duration.ofDays(1)) }) {
                byte[] body = (text(500) + "äöü€😀").getBytes(UTF_8);
                Map<String, String> headers = new HashMap<>(Map.of("host", "table.example:8000", "content-type",
                        "application/x-amz-json-1.0", "x-amz-target", "DynamoDB_20120810.Query" + random.nextInt(3)));
                Map<String, String> expected = signedBySdk(credentials, region, headers, body, now);
                // A header that the SDK adds for services that want it.
                headers.put(CONTENT_SHA_256, Objects.requireNonNull(expected.remove(CONTENT_SHA_256)));

                Map<String, String> added = new HashMap<>();
                signer.sign(headers, body, now, added::put);

                assertThat(added).isEqualTo(expected);
            }
        }
    }

    @Test
    void aProviderWhoseDigestsCannotBeClonedGivesTheSameSignatures() {
        AwsCredentialsIdentity credentials = AwsCredentialsIdentity.create(text(20), text(40));
        Instant now = Instant.ofEpochSecond(random.nextLong(4_000_000_000L));
        Map<String, String> headers = Map.of("host", "table.example");
        byte[] body = text(500).getBytes(UTF_8);
        Map<String, String> expected = signed(new SigV4Signer(credentials, "dynamodb", "region", "/"), headers, body, now);
        Provider provider = new UncloneableProvider();
        Security.insertProviderAt(provider, 1);
        try {
            SigV4Signer signer = new SigV4Signer(credentials, "dynamodb", "region", "/");

            assertThat(List.of(signed(signer, headers, body, now), signed(signer, headers, body, now)))
                    .containsOnly(expected);
            assertThat(UncloneableProvider.USES.get()).isPositive();
        } finally {
            Security.removeProvider(provider.getName());
        }
    }

    private static Map<String, String> signed(SigV4Signer signer, Map<String, String> headers, byte[] body, Instant now) {
        Map<String, String> added = new HashMap<>();
        signer.sign(headers, body, now, added::put);
        return added;
    }

    private String text(int length) {
        return random.ints(length, 'A', 'Z' + 1).collect(StringBuilder::new, StringBuilder::appendCodePoint,
                StringBuilder::append).toString();
    }

    private static Map<String, String> signedBySdk(AwsCredentialsIdentity credentials, String region,
            Map<String, String> headers, byte[] body, Instant now) {
        SdkHttpRequest.Builder request = SdkHttpRequest.builder().method(SdkHttpMethod.POST)
                .uri(URI.create("http://table.example:8000/"));
        headers.forEach(request::putHeader);
        SdkHttpRequest signed = AwsV4HttpSigner.create().sign(signing -> signing.identity(credentials)
                .request(request.build()).payload(() -> new ByteArrayInputStream(body))
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "dynamodb")
                .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(now, ZoneOffset.UTC))).request();
        Map<String, String> added = new HashMap<>();
        signed.forEachHeader((name, values) -> {
            String lower = name.toLowerCase(java.util.Locale.ROOT);
            if (!headers.containsKey(lower)) {
                added.put(lower, values.get(0));
            }
        });
        return added;
    }

    @ParameterizedTest
    @ValueSource(strings = { "token\n", "to\r\nken", "tøken", "to ken" })
    void aTokenThatNoHeaderMayHaveIsRefused(String token) {
        AwsSessionCredentialsIdentity credentials = AwsSessionCredentialsIdentity.create("key", "secret", token);

        assertThatThrownBy(() -> new SigV4Signer(credentials, "dynamodb", "us-east-1", "/"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("session token")
                .hasMessageNotContaining(token);
    }

    /** Java's own digests, but that they cannot be cloned, like those of a hardware token. */
    static final class UncloneableProvider extends Provider {

        private static final long serialVersionUID = 1;
        private static final AtomicInteger USES = new AtomicInteger();

        UncloneableProvider() {
            super("Uncloneable", "1", "digests that cannot be cloned");
            put("Mac.HmacSHA256", UncloneableMac.class.getName());
            put("MessageDigest.SHA-256", UncloneableDigest.class.getName());
        }

        public static final class UncloneableMac extends MacSpi {

            private final Mac mac;

            public UncloneableMac() throws GeneralSecurityException {
                mac = Mac.getInstance("HmacSHA256", "SunJCE");
                USES.incrementAndGet();
            }

            @Override
            protected int engineGetMacLength() {
                return mac.getMacLength();
            }

            @Override
            protected void engineInit(Key key, @Nullable AlgorithmParameterSpec parameters) throws InvalidKeyException {
                mac.init(key);
            }

            @Override
            protected void engineUpdate(byte input) {
                mac.update(input);
            }

            @Override
            protected void engineUpdate(byte[] input, int offset, int length) {
                mac.update(input, offset, length);
            }

            @Override
            protected byte[] engineDoFinal() {
                return mac.doFinal();
            }

            @Override
            protected void engineReset() {
                mac.reset();
            }
        }

        public static final class UncloneableDigest extends MessageDigestSpi {

            private final MessageDigest digest;

            public UncloneableDigest() throws GeneralSecurityException {
                digest = MessageDigest.getInstance("SHA-256", "SUN");
                USES.incrementAndGet();
            }

            @Override
            protected void engineUpdate(byte input) {
                digest.update(input);
            }

            @Override
            protected void engineUpdate(byte[] input, int offset, int length) {
                digest.update(input, offset, length);
            }

            @Override
            protected byte[] engineDigest() {
                return digest.digest();
            }

            @Override
            protected void engineReset() {
                digest.reset();
            }
        }
    }
}
