package dev.windrow.local;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The options of {@link LocalAwsMain}. */
enum LocalAwsOption {

    HOST("address", "address to listen on; 0.0.0.0 for every interface, as in a container (127.0.0.1)"),
    DYNAMODB_PORT("port", "port of DynamoDB, 0 for any free one (8000)"),
    SQS_PORT("port", "port of SQS, 0 for any free one (9324)"),
    FOLDER("folder", "folder to keep data in; without it, data is lost at the end"),
    TABLE("name", "table to create (windrow)"),
    QUEUE("name", "queue to create, its dead letters go to NAME-dlq (windrow-events)"),
    VISIBILITY_TIMEOUT("seconds", "how long a received message stays hidden, 0 to 43200 (60)"),
    MAX_RECEIVE_COUNT("count", "receives until a message is a dead letter, 1 to 1000 (100)"),
    PROVISION("true|false", "whether to create table and queues (true)");

    private final String form;
    private final String meaning;

    LocalAwsOption(String form, String meaning) {
        this.form = form;
        this.meaning = meaning;
    }

    static Optional<LocalAwsOption> named(String word) {
        return Arrays.stream(values()).filter(option -> option.word().equals(word)).findFirst();
    }

    /** As written on the command line, without its hyphens. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** One line of the help text. */
    String help() {
        return String.format(Locale.ROOT, "  %-30s %s", "--" + word() + "=" + form, meaning);
    }
}
