package dev.windrow.bench.experiment;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.stream.LongStream;

import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;

/** What the threads of another JVM have allocated so far. */
final class Allocation {

    private static final double KILOBYTE = 1_024;

    private Allocation() {
    }

    /** In KB, of the threads that live; NaN if the process is not a JVM. */
    // The address is that of a process which the harness started.
    @SuppressWarnings("BanJNDI")
    static double kilobytes(Child child) {
        if (!child.jvm()) {
            return Double.NaN;
        }
        try {
            VirtualMachine jvm = VirtualMachine.attach(Long.toString(child.process().pid()));
            try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(jvm.startLocalManagementAgent()))) {
                ThreadMXBean threads = ManagementFactory.newPlatformMXBeanProxy(connector.getMBeanServerConnection(),
                        ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
                return LongStream.of(threads.getThreadAllocatedBytes(threads.getAllThreadIds())).filter(bytes -> bytes > 0)
                        .sum() / KILOBYTE;
            } finally {
                jvm.detach();
            }
        } catch (IOException | AttachNotSupportedException e) {
            throw new IllegalStateException("cannot attach to " + child.name(), e);
        }
    }
}
