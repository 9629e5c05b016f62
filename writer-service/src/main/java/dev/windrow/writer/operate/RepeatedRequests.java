package dev.windrow.writer.operate;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.Reason;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * Repeats requests of a command that runs for hours: a throttled table, a slow machine or a lost connection must not end
 * it. Errors that only the operator can mend, such as denied access or a missing table, are thrown at once.
 */
record RepeatedRequests(String table, CommandTime time) {

    /** The last of them begins about three minutes after the first. */
    static final int MAX_ATTEMPTS = 10;

    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(30);
    private static final int BAD_REQUEST = 400;
    private static final int SERVER_ERROR = 500;

    /** Sends a request whose repetition does no harm. */
    <T> T repeated(Supplier<CompletableFuture<T>> request) {
        return repeated(request.get(), request);
    }

    /** Returns the response to a request that was sent, and sends it again as long as that can help. */
    <T> T repeated(CompletableFuture<T> sent, Supplier<CompletableFuture<T>> again) {
        CompletableFuture<T> answer = sent;
        Duration backoff = FIRST_BACKOFF;
        for (int attempt = 1;; attempt++) {
            try {
                return AwsErrors.join(answer);
            } catch (RuntimeException failure) {
                if (!isPassing(failure)) {
                    throw failure;
                }
                if (attempt == MAX_ATTEMPTS) {
                    throw new IllegalStateException(outcome(failure) + ": "
                            + firstLine(AwsErrors.cause(failure)), failure);
                }
            }
            time.pause(backoff);
            backoff = backoff.multipliedBy(2).compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : backoff.multipliedBy(2);
            answer = again.get();
        }
    }

    private String outcome(RuntimeException failure) {
        return AwsErrors.reason(failure) == Reason.THROTTLED
                ? "table " + table + " throttled a request " + MAX_ATTEMPTS + " times in a row: run the command again when "
                        + "the table has capacity left, or with lower max-units"
                : "a request to table " + table + " failed " + MAX_ATTEMPTS + " times in a row ("
                        + AwsErrors.reason(failure).word() + "): run the command again, and it continues";
    }

    /** The SDK explains some errors in many lines. */
    private static String firstLine(Throwable cause) {
        return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    }

    private static boolean isPassing(RuntimeException failure) {
        Reason reason = AwsErrors.reason(failure);
        boolean refused = AwsErrors.cause(failure) instanceof AwsServiceException answer
                && answer.statusCode() >= BAD_REQUEST && answer.statusCode() < SERVER_ERROR;
        return reason == Reason.THROTTLED || reason == Reason.TIMED_OUT || reason == Reason.CONTENTION
                || (reason == Reason.UNAVAILABLE && !refused);
    }
}
