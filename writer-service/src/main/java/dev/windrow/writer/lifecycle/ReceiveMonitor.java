package dev.windrow.writer.lifecycle;

import java.util.List;

import dev.windrow.base.Reason;
import dev.windrow.writer.flow.FlowMetrics;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;
import dev.windrow.writer.source.ReceiveListener;

/** Each start and end of a receive is a sign of life; metrics and state show whether it was a good one. */
record ReceiveMonitor(FlowMetrics metrics, WriterState state) implements ReceiveListener {

    @Override
    public void started() {
        state.progress().receiving();
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
        state.progress().receiving();
    }
}
