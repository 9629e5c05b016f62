package dev.windrow.writer.command;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The commands of the writer's image, which run instead of the writer. */
enum Command {

    /** Creates the table, indexes, TTL setting and queues that are missing. */
    PROVISION {
        @Override
        String run(CommandSettings settings) {
            return Provision.run(settings);
        }
    },

    /** Completes leaderboards that were declared for datasets with data. */
    RANK {
        @Override
        String run(CommandSettings settings) {
            return RankItems.run(settings);
        }
    },

    /** Posts events and reads them back. */
    CHECK {
        @Override
        String run(CommandSettings settings) {
            return Check.run(settings);
        }
    };

    static final List<String> WORDS = Arrays.stream(values()).map(Command::word).toList();

    /** Runs the command; returns a line that says what it did. */
    abstract String run(CommandSettings settings);

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Command> named(String word) {
        return Arrays.stream(values()).filter(command -> command.word().equals(word)).findFirst();
    }
}
