package dev.windrow.aws;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * Caches the signer for the current credentials. Credentials may come from a file, another process or a server, and resolving
 * them may block. So they are resolved once a second on a thread that may block, while requests use the current ones. Providers
 * cache credentials themselves, so resolving them is usually cheap. Credentials can be revoked before they expire: those that
 * AWS refused, or that were not used for a while, are resolved again before their next use.
 */
public final class SignerCache {

    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final Duration USABLE = Duration.ofSeconds(5);

    private final Supplier<? extends CompletionStage<? extends AwsCredentialsIdentity>> credentials;
    private final Function<AwsCredentialsIdentity, SigV4Signer> signerOf;
    private final Executor mayBlock;
    private final Clock clock;
    private final Consumer<Throwable> notRenewed;
    private volatile @Nullable Held held;
    private volatile Instant resolvingSince = Instant.EPOCH;
    private @Nullable CompletableFuture<Held> resolving;

    private record Held(AwsCredentialsIdentity identity, SigV4Signer signer, Instant since,
            CompletionStage<SigV4Signer> answer) {

        Held(AwsCredentialsIdentity identity, SigV4Signer signer, Instant since) {
            this(identity, signer, since, CompletableFuture.completedStage(signer));
        }

        boolean isValid(Instant now) {
            return identity.expirationTime().map(now::isBefore).orElse(true);
        }
    }

    /**
     * @param credentials resolves the credentials, and may block
     * @param mayBlock runs the resolution
     * @param notRenewed receives the failure when credentials cannot be renewed while the current ones are still valid
     */
    public SignerCache(Supplier<? extends CompletionStage<? extends AwsCredentialsIdentity>> credentials,
            Function<AwsCredentialsIdentity, SigV4Signer> signerOf, Executor mayBlock, Clock clock,
            Consumer<Throwable> notRenewed) {
        this.credentials = credentials;
        this.signerOf = signerOf;
        this.mayBlock = mayBlock;
        this.clock = clock;
        this.notRenewed = notRenewed;
    }

    /** Returns the current signer, or a new one if there is none or its credentials have expired. */
    public CompletionStage<SigV4Signer> current() {
        Held known = held;
        Instant now = clock.instant();
        if (known == null || !known.isValid(now)) {
            return resolve().thenApply(Held::signer);
        }
        if (!now.isAfter(known.since().plus(FRESH))) {
            return known.answer();
        }
        CompletionStage<Held> renewed = resolve();
        return resolvingSince.isAfter(known.since().plus(USABLE)) ? renewed.thenApply(Held::signer) : known.answer();
    }

    /** Reports that AWS refused a signer's credentials: they are resolved again before their next use. */
    public synchronized void refused(SigV4Signer signer) {
        Held known = held;
        if (known != null && known.signer() == signer) {
            held = new Held(known.identity(), signer, Instant.EPOCH);
        }
    }

    private synchronized CompletableFuture<Held> resolve() {
        CompletableFuture<Held> underWay = resolving;
        if (underWay != null && !underWay.isDone()) {
            return underWay;
        }
        resolvingSince = clock.instant();
        CompletableFuture<Held> started = CompletableFuture.supplyAsync(credentials, mayBlock)
                .thenCompose(stage -> stage.thenApply(this::hold)).exceptionally(this::keep);
        resolving = started;
        return started;
    }

    private synchronized Held keep(Throwable failure) {
        Held known = held;
        Instant now = clock.instant();
        if (known == null || !known.isValid(now)) {
            throw new CompletionException(failure);
        }
        notRenewed.accept(failure);
        Held kept = new Held(known.identity(), known.signer(), now);
        held = kept;
        return kept;
    }

    private synchronized Held hold(AwsCredentialsIdentity identity) {
        Held known = held;
        // The same credentials keep their signer, which has derived the day's key.
        SigV4Signer signer = known != null && known.identity().equals(identity) ? known.signer() : signerOf.apply(identity);
        Held fresh = new Held(identity, signer, clock.instant());
        held = fresh;
        return fresh;
    }
}
