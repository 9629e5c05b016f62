package dev.windrow.writer.lifecycle;

import java.util.concurrent.ScheduledExecutorService;

import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.source.MessageReceiver;
import dev.windrow.writer.store.TableWrites;

/** How the flow reaches queue and table with what it asks of them all the time. */
interface Transport {

    MessageReceiver receives();

    /** The table of that name. */
    TableWrites table(String name);

    Acknowledger acknowledger(ScheduledExecutorService timer);
}
