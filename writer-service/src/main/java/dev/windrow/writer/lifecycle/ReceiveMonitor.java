package dev.windrow.writer.lifecycle;

import java.util.List;

import dev.windrow.writer.flow.FlowMetrics;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.source.ReceiveListener;

/** Each end of a receive is a sign of life; good ones are counted. */
record ReceiveMonitor(FlowMetrics metrics, WriterState state) implements ReceiveListener {

    @Override
    public void received(List<Message> batch) {
        metrics.received(batch);
        state.moved();
    }

    @Override
    public void passed() {
        state.moved();
    }
}
