import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

import dev.windrow.signing.SigV4Signer;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/** The signature of a request, by Windrow and by the SDK. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Signing {

    private static final String TOKEN_PART = "IQoJb3JpZ2luX2VjEA0aCXVzLWVhc3QtMSJGMEQCIH";
    private static final AwsSessionCredentialsIdentity CREDENTIALS = AwsSessionCredentialsIdentity.create("AKIDEXAMPLE",
            "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", TOKEN_PART.repeat(20));

    private final SigV4Signer own = new SigV4Signer(CREDENTIALS, "dynamodb", "us-east-1", "/");
    private final AwsV4HttpSigner sdk = AwsV4HttpSigner.create();
    private final Map<String, String> headers = Map.of("host", "dynamodb.us-east-1.amazonaws.com", "content-type",
            "application/x-amz-json-1.0", "x-amz-target", "DynamoDB_20120810.UpdateItem");
    private final SdkHttpRequest request = request();

    /** As long as a query or the upsert of one bucket. */
    private final byte[] body = "x".repeat(600).getBytes(UTF_8);

    @Benchmark
    public void own(Blackhole hole) {
        own.sign(headers, body, Instant.now(), (name, value) -> {
            hole.consume(name);
            hole.consume(value);
        });
    }

    @Benchmark
    public void sdk(Blackhole hole) {
        SdkHttpRequest signed = sdk.sign(signing -> signing.identity(CREDENTIALS).request(request)
                .payload(ContentStreamProvider.fromByteArrayUnsafe(body))
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "dynamodb")
                .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")).request();
        signed.forEachHeader((name, values) -> {
            hole.consume(name);
            hole.consume(values.get(0));
        });
    }

    private SdkHttpRequest request() {
        SdkHttpRequest.Builder builder = SdkHttpRequest.builder().method(SdkHttpMethod.POST)
                .uri(URI.create("https://dynamodb.us-east-1.amazonaws.com/"));
        headers.forEach(builder::putHeader);
        return builder.build();
    }
}
