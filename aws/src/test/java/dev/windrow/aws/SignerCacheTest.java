package dev.windrow.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Credentials change while reads go on. */
class SignerCacheTest {

    private final Queue<Runnable> blocking = new ArrayDeque<>();
    private final List<Throwable> notRenewed = new ArrayList<>();
    private Instant now = Instant.parse("2026-11-20T10:00:00Z");
    private CompletableFuture<AwsCredentialsIdentity> resolved = CompletableFuture.completedFuture(credentials("first"));
    private final SignerCache signers = new SignerCache(() -> resolved,
            identity -> new SigV4Signer(identity, "dynamodb", "r", "/"),
            blocking::add,
            ((InstantSource) () -> now).withZone(ZoneOffset.UTC), notRenewed::add);

    @Test
    void theFirstReadWaitsForCredentialsOnAThreadThatMayBlock() {
        CompletableFuture<SigV4Signer> first = current();
        assertThat(first).isNotDone();

        blocking.remove().run();

        assertThat(first).isCompleted();
        assertThat(current().join()).isSameAs(first.join());
        assertThat(blocking).isEmpty();
    }

    @Test
    void requestsUseTheCurrentCredentialsWhileNewOnesAreResolved() {
        SigV4Signer first = held();
        resolved = CompletableFuture.completedFuture(credentials("second"));
        now = now.plus(Duration.ofSeconds(2));

        assertThat(current().join()).isSameAs(first);
        assertThat(current().join()).isSameAs(first);
        assertThat(blocking).as("asked for once").hasSize(1);
        blocking.remove().run();

        assertThat(current().join()).isNotSameAs(first);
    }

    @Test
    void credentialsUnusedForAWhileAreResolvedBeforeTheirNextUse() {
        SigV4Signer first = held();
        resolved = CompletableFuture.completedFuture(credentials("second"));
        now = now.plus(Duration.ofMinutes(1));

        CompletableFuture<SigV4Signer> waiting = current();
        assertThat(waiting).isNotDone();
        blocking.remove().run();

        assertThat(waiting.join()).isNotSameAs(first);
    }

    @Test
    void aSlowAnswerHoldsNothingUpWhileThoseAtHandAreValid() {
        SigV4Signer first = held();
        now = now.plus(Duration.ofSeconds(2));
        assertThat(current()).isCompletedWithValue(first);

        now = now.plus(Duration.ofMinutes(1));

        assertThat(current()).isCompletedWithValue(first);
        assertThat(blocking).as("asked for once").hasSize(1);
    }

    @Test
    void thoseThatWereRefusedAreNotUsedBeforeTheAnswer() {
        SigV4Signer first = held();
        resolved = CompletableFuture.completedFuture(credentials("second"));

        signers.refused(first);
        CompletableFuture<SigV4Signer> waiting = current();
        assertThat(waiting).isNotDone();
        blocking.remove().run();
        signers.refused(first);

        assertThat(waiting.join()).isNotSameAs(first);
        assertThat(current()).as("a late refusal of the first").isCompletedWithValue(waiting.join());
    }

    @Test
    void credentialsUnusedForAWhileAreUsedIfResolvingFails() {
        SigV4Signer first = held();
        resolved = CompletableFuture.failedFuture(new IllegalStateException("no role any more"));
        now = now.plus(Duration.ofMinutes(1));

        CompletableFuture<SigV4Signer> waiting = current();
        CompletableFuture<SigV4Signer> another = current();
        blocking.remove().run();

        assertThat(waiting.join()).isSameAs(first).isSameAs(another.join());
        assertThat(notRenewed).hasSize(1);
    }

    @Test
    void theSameCredentialsKeepTheirSigner() {
        SigV4Signer first = held();
        resolved = CompletableFuture.completedFuture(credentials("first"));
        now = now.plus(Duration.ofSeconds(2));
        assertThat(current()).isCompleted();
        blocking.remove().run();

        assertThat(current().join()).isSameAs(first);
    }

    @Test
    void aFailureToResolveFailsRequestsOnlyWithoutValidCredentials() {
        resolved = CompletableFuture.failedFuture(new IllegalStateException("no role"));
        CompletableFuture<SigV4Signer> none = current();
        blocking.remove().run();
        assertThat(none).isCompletedExceptionally();
        assertThatThrownBy(none::join).hasStackTraceContaining("no role");

        resolved = CompletableFuture.completedFuture(credentials("first"));
        SigV4Signer first = held();
        resolved = CompletableFuture.failedFuture(new IllegalStateException("no role any more"));
        now = now.plus(Duration.ofSeconds(2));
        assertThat(current()).isCompleted();
        blocking.remove().run();
        assertThat(current().join()).isSameAs(first);
        assertThat(notRenewed).hasSize(1);
    }

    @Test
    void expiredCredentialsAreNotUsed() {
        resolved = CompletableFuture.completedFuture(expiring("first", now.plus(Duration.ofSeconds(5))));
        SigV4Signer first = held();
        resolved = CompletableFuture.completedFuture(expiring("second", now.plus(Duration.ofHours(1))));
        now = now.plus(Duration.ofSeconds(5));

        CompletableFuture<SigV4Signer> second = current();
        assertThat(second).isNotDone();
        blocking.remove().run();

        assertThat(second.join()).isNotSameAs(first);
    }

    private SigV4Signer held() {
        CompletableFuture<SigV4Signer> subscriber = current();
        blocking.remove().run();
        return subscriber.join();
    }

    private CompletableFuture<SigV4Signer> current() {
        return signers.current().toCompletableFuture();
    }

    private static AwsCredentialsIdentity credentials(String name) {
        return AwsCredentialsIdentity.create(name, "secret");
    }

    private static AwsCredentialsIdentity expiring(String name, Instant at) {
        return AwsSessionCredentials.builder().accessKeyId(name).secretAccessKey("secret").sessionToken("token")
                .expirationTime(at).build();
    }
}
