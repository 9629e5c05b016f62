package dev.windrow.gather.fanout.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Credentials change while reads go on. */
class SignersTest {

    private final Queue<Runnable> blocking = new ArrayDeque<>();
    private Instant now = Instant.parse("2026-11-20T10:00:00Z");
    private CompletableFuture<AwsCredentialsIdentity> told = CompletableFuture.completedFuture(credentials("first"));
    private final Signers signers = new Signers(() -> told, identity -> new Signer(identity, "r", "/"), blocking::add,
            ((InstantSource) () -> now).withZone(ZoneOffset.UTC));

    @Test
    void theFirstReadWaitsForCredentialsOnAThreadThatMayBlock() {
        UniAssertSubscriber<Signer> first = current();
        first.assertNotTerminated();

        blocking.remove().run();

        first.assertCompleted();
        assertThat(current().assertCompleted().getItem()).isSameAs(first.getItem());
        assertThat(blocking).isEmpty();
    }

    @Test
    void readsGoOnWithThoseAtHandWhileNewOnesAreAskedFor() {
        Signer first = held();
        told = CompletableFuture.completedFuture(credentials("second"));
        now = now.plus(Duration.ofMinutes(1));

        assertThat(current().assertCompleted().getItem()).isSameAs(first);
        assertThat(current().assertCompleted().getItem()).isSameAs(first);
        assertThat(blocking).as("asked for once").hasSize(1);
        blocking.remove().run();

        assertThat(current().assertCompleted().getItem()).isNotSameAs(first);
    }

    @Test
    void theSameCredentialsKeepTheirSigner() {
        Signer first = held();
        told = CompletableFuture.completedFuture(credentials("first"));
        now = now.plus(Duration.ofMinutes(1));
        current();
        blocking.remove().run();

        assertThat(current().assertCompleted().getItem()).isSameAs(first);
    }

    @Test
    void credentialsThatCannotBeHadAreToldOnlyWhereThereAreNoneAtHand() {
        told = CompletableFuture.failedFuture(new IllegalStateException("no role"));
        UniAssertSubscriber<Signer> none = current();
        blocking.remove().run();
        none.assertFailed();
        assertThatThrownBy(() -> {
            throw none.getFailure();
        }).hasStackTraceContaining("no role");

        told = CompletableFuture.completedFuture(credentials("first"));
        Signer first = held();
        told = CompletableFuture.failedFuture(new IllegalStateException("no role any more"));
        now = now.plus(Duration.ofMinutes(1));
        current();
        blocking.remove().run();
        assertThat(current().assertCompleted().getItem()).isSameAs(first);
    }

    @Test
    void expiredCredentialsAreNotUsed() {
        told = CompletableFuture.completedFuture(expiring("first", now.plus(Duration.ofSeconds(5))));
        Signer first = held();
        told = CompletableFuture.completedFuture(expiring("second", now.plus(Duration.ofHours(1))));
        now = now.plus(Duration.ofSeconds(5));

        UniAssertSubscriber<Signer> second = current();
        second.assertNotTerminated();
        blocking.remove().run();

        assertThat(second.assertCompleted().getItem()).isNotSameAs(first);
    }

    private Signer held() {
        UniAssertSubscriber<Signer> subscriber = current();
        blocking.remove().run();
        return subscriber.assertCompleted().getItem();
    }

    private UniAssertSubscriber<Signer> current() {
        return signers.current().subscribe().withSubscriber(UniAssertSubscriber.create());
    }

    private static AwsCredentialsIdentity credentials(String name) {
        return AwsCredentialsIdentity.create(name, "secret");
    }

    private static AwsCredentialsIdentity expiring(String name, Instant at) {
        return AwsSessionCredentials.builder().accessKeyId(name).secretAccessKey("secret").sessionToken("token")
                .expirationTime(at).build();
    }
}
