package dev.windrow.writer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

class BoundedWritesTest {

    private static final TableWrite WRITE = TableWrite.single(new LedgerNote("p", "s", List.of(), 0));

    private final FakeWrites table = FakeWrites.manual();
    private final TableWrites bounded = new BoundedWrites(table, 2);

    @Test
    void letsSoManyBeUnderWayAndTheNextWhenOneEnds() {
        // Given
        List<UniAssertSubscriber<WriteResult>> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(bounded.write(WRITE).subscribe().withSubscriber(UniAssertSubscriber.create()));
        }
        assertThat(table.open()).isEqualTo(2);

        // When
        table.answerFirst();

        // Then
        all.get(0).assertCompleted();
        assertThat(table.open()).isEqualTo(2);
        assertThat(table.calls()).isEqualTo(3);
    }

    @Test
    void givesThePlaceOfACancelledWriteToTheNext() {
        // Given
        bounded.write(WRITE).subscribe().with(receipt -> {
        });
        UniAssertSubscriber<WriteResult> cancelled = write();
        UniAssertSubscriber<WriteResult> cancelledWhileWaiting = write();
        write();

        // When
        cancelledWhileWaiting.cancel();
        cancelled.cancel();

        // Then
        assertThat(table.calls()).isEqualTo(3);
    }

    private UniAssertSubscriber<WriteResult> write() {
        return bounded.write(WRITE).subscribe().withSubscriber(UniAssertSubscriber.create());
    }
}
