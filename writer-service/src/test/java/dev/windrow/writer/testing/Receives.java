package dev.windrow.writer.testing;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import dev.windrow.base.Reason;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.queue.ReceiveListener;

/** The ends of receives, by queue. */
public final class Receives implements ReceiveListener {

    public final Queue<String> received = new ConcurrentLinkedQueue<>();
    public final Queue<String> failed = new ConcurrentLinkedQueue<>();
    public final AtomicInteger starts = new AtomicInteger();
    public final AtomicInteger passed = new AtomicInteger();

    @Override
    public void started() {
        starts.incrementAndGet();
    }

    @Override
    public void received(SourceQueue queue, List<Message> batch) {
        received.add(queue.url() + " " + batch.size());
    }

    @Override
    public void failed(SourceQueue queue, Reason reason) {
        failed.add(queue.url() + " " + reason.word());
    }

    @Override
    public void passed() {
        passed.incrementAndGet();
    }
}
