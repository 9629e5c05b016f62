package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;

class GatherExceptionTest {

    @Test
    void itsOwnTextIsForClients() {
        GatherException own = new GatherException(Reason.TIMED_OUT, "the deadline has passed");

        assertThat(own.publicMessage()).isEqualTo("the deadline has passed");
        assertThat(new GatherException(Reason.TIMED_OUT, own).publicMessage()).isEqualTo("the deadline has passed");
    }

    @Test
    void theTextOfAnotherFailureIsForTheLog() {
        GatherException denied = new GatherException(Reason.ACCESS_DENIED,
                new IllegalStateException("arn:aws:sts::111122223333:assumed-role/x"));

        assertThat(denied.publicMessage()).isEqualTo(Reason.ACCESS_DENIED.meaning());
        assertThat(new GatherException(Reason.ACCESS_DENIED, denied).publicMessage()).isEqualTo(Reason.ACCESS_DENIED.meaning());
        assertThat(denied).hasMessageContaining("arn:");
    }
}
