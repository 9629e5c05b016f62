package dev.windrow.gather.api.live;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.windrow.base.SharedTimer.TimerDelays;

/**
 * When the credential of a stream expires. It was checked when the stream began, and must not be good for longer because its
 * client never asks again.
 *
 * @param at empty for one that does not expire
 */
record CredentialExpiry(Optional<Instant> at, Clock clock) {

    boolean hasExpired() {
        return at.filter(end -> !clock.instant().isBefore(end)).isPresent();
    }

    /** A wait of a timer, shortened to the expiry if that comes first. */
    Duration atMost(Duration wait) {
        return at.map(end -> Duration.between(clock.instant(), end)).filter(left -> left.compareTo(wait) < 0)
                .map(TimerDelays::atLeastShortest).orElse(wait);
    }
}
