package dev.windrow.signing;

import java.util.function.Supplier;

/**
 * A digest of what many inputs have in common, from which each is continued. It is cloned where the provider of the platform's
 * cryptography can do that, as Java's own can, and otherwise (PKCS#11) computed again. Thread-safe.
 */
final class StartedDigest<D> {

    private final Supplier<D> start;
    private final Cloning<D> cloning;
    private final D started;

    /** Clones a digest. */
    interface Cloning<D> {

        /** @throws CloneNotSupportedException if its provider cannot */
        D copy(D digest) throws CloneNotSupportedException;
    }

    /** @param start creates a digest that has digested the common part */
    StartedDigest(Supplier<D> start, Cloning<D> cloning) {
        this.start = start;
        this.cloning = cloning;
        this.started = start.get();
    }

    /** A digest that has digested the common part, for the caller alone. */
    D next() {
        try {
            return cloning.copy(started);
        } catch (CloneNotSupportedException e) {
            return start.get();
        }
    }
}
