package dev.windrow.writer;

import java.util.List;

import dev.windrow.base.Reason;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.queue.ReceiveListener;

/** Reports each receive to the metrics and the state. Each start and end is a sign of life. */
public record ReceiveMonitor(FlowMetrics metrics, WriterState state) implements ReceiveListener {

    @Override
    public void started() {
        state.receiving();
    }

    @Override
    public void received(SourceQueue queue, List<Message> batch) {
        metrics.received(queue, batch);
        state.received(queue);
    }

    @Override
    public void failed(SourceQueue queue, Reason reason) {
        metrics.receiveFailed(queue, reason);
        state.receiveFailed(queue);
    }

    @Override
    public void passed() {
        state.receiving();
    }
}
