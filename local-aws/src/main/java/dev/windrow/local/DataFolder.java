package dev.windrow.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.jspecify.annotations.Nullable;

/**
 * A folder with the servers' data, held by one process at a time: neither server would notice another that writes the
 * same files.
 */
final class DataFolder implements AutoCloseable {

    private static final String LOCK_FILE = "windrow-local.lock";

    private final Path path;
    private final FileChannel lock;

    private DataFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    static DataFolder open(Path folder) {
        Path path = folder.toAbsolutePath().normalize();
        try {
            Files.createDirectories(path);
            FileChannel channel = FileChannel.open(path.resolve(LOCK_FILE), StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            if (tryLock(channel) == null) {
                channel.close();
                throw new IllegalStateException("folder: expected one that no other process uses, found " + path + " in use");
            }
            return new DataFolder(path, channel);
        } catch (IOException failure) {
            throw new IllegalStateException("folder: expected one that can be written to, found " + path + ": "
                    + failure, failure);
        }
    }

    Path path() {
        return path;
    }

    /** Gives the folder free; the lock file stays, as removing it would race with the next owner. */
    @Override
    public void close() throws IOException {
        lock.close();
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldInThisProcess) {
            return null;
        }
    }
}
