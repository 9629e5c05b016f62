package dev.windrow.gather.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.windrow.gather.live.LiveResource.CredentialExpiry;

class CredentialExpiryTest {

    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    private static final Duration WAIT = Duration.ofSeconds(15);

    @Test
    void waitsEndAtTheExpiry() {
        CredentialExpiry soon = expiry(Optional.of(NOW.plusSeconds(4)));
        CredentialExpiry later = expiry(Optional.of(NOW.plusSeconds(400)));

        assertThat(soon.atMost(WAIT)).isEqualTo(Duration.ofSeconds(4));
        assertThat(later.atMost(WAIT)).isEqualTo(WAIT);
        assertThat(soon.hasExpired()).isFalse();
    }

    @Test
    void anExpiredCredentialIsNoticedAtOnce() {
        for (Instant past : new Instant[] { NOW, NOW.minusSeconds(1) }) {
            CredentialExpiry expired = expiry(Optional.of(past));

            assertThat(expired.hasExpired()).isTrue();
            assertThat(expired.atMost(WAIT)).isEqualTo(Duration.ofMillis(1));
        }
    }

    @Test
    void aCredentialMayNotExpire() {
        CredentialExpiry never = expiry(Optional.empty());

        assertThat(never.hasExpired()).isFalse();
        assertThat(never.atMost(WAIT)).isEqualTo(WAIT);
    }

    private static CredentialExpiry expiry(Optional<Instant> at) {
        return new CredentialExpiry(at, Clock.fixed(NOW, ZoneOffset.UTC));
    }
}
