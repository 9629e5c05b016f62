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
 * The clock of a service, for the signatures of requests to it. Like the SDKs, it follows the machine's clock until the
 * service refuses a signature because the two clocks differ. Thread-safe.
 */
final class ServerClock {

    /** Services accept five minutes either way; like the SDKs, this treats four minutes as a difference. */
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
     * Adopts the service's time from a response that refuses a signature.
     *
     * @param date the response's {@code Date} header
     * @param signedAt the time of the signature
     * @return whether the times differ enough to explain the refusal
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
            LOG.warn(
                    "the clock of this machine differs from AWS's, whose time is used for signatures: set the machine's clock",
                    LogKey.DETAIL.of("AWS is ahead by " + ahead.toSeconds() + " s"));
        }
        offset = ahead;
        return true;
    }
}
