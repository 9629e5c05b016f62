package dev.windrow.aws;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.LogKey;
import dev.windrow.base.StructuredLogger;

/**
 * The time of a service, by which requests to it are signed. It is the machine's until the service refuses a signature made at
 * another time than its own, as the SDKs do. Thread-safe.
 */
final class ServerClock {

    /** Services accept five minutes either way; the SDKs take four as a difference, too. */
    private static final Duration ACCEPTED = Duration.ofMinutes(4);
    private static final StructuredLogger LOG = StructuredLogger.of(ServerClock.class);

    private final Clock machine;
    private volatile Duration offset = Duration.ZERO;

    ServerClock(Clock machine) {
        this.machine = machine;
    }

    Instant instant() {
        Instant now = machine.instant();
        Duration known = offset;
        return known.isZero() ? now : now.plus(known);
    }

    /**
     * Takes over the service's time from an answer that refuses a signature.
     *
     * @param date the answer's header {@code Date}
     * @param signedAt the time of the signature
     * @return whether the two differ so much that this explains the refusal
     */
    boolean learn(@Nullable String date, Instant signedAt) {
        Instant service;
        try {
            service = date == null ? signedAt : DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from);
        } catch (DateTimeException e) {
            return false;
        }
        if (Duration.between(signedAt, service).abs().compareTo(ACCEPTED) < 0) {
            return false;
        }
        Duration ahead = Duration.between(machine.instant(), service);
        if (ahead.minus(offset).abs().compareTo(ACCEPTED) >= 0) {
            LOG.warn("the clock of this machine differs from AWS's, whose time is used for signatures: set the machine's clock",
                    LogKey.DETAIL.of("AWS is ahead by " + ahead.toSeconds() + " s"));
        }
        offset = ahead;
        return true;
    }
}
