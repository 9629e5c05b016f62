package dev.windrow.writer.acknowledge;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;
import io.smallrye.mutiny.Uni;

/** Deletes messages with SQS's JSON protocol. */
final class MessageDeletion implements BatchedRequest {

    private static final JsonFactory JSON = new JsonFactory();
    private static final String TARGET = "AmazonSQS.DeleteMessageBatch";
    private static final int USUAL_BYTES = 4_096;

    private final AwsJsonClient client;
    private final Duration timeout;

    MessageDeletion(AwsJsonClient client, Duration timeout) {
        this.client = client;
        this.timeout = timeout;
    }

    @Override
    public Uni<List<Answer>> send(SourceQueue queue, List<Message> messages) {
        return client.post(TARGET, request(queue, messages), timeout).map(answer -> answers(answer, messages.size()));
    }

    private static byte[] request(SourceQueue queue, List<Message> messages) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("QueueUrl", queue.url());
            json.writeArrayFieldStart("Entries");
            for (int i = 0; i < messages.size(); i++) {
                json.writeStartObject();
                // By position: two deliveries of one message may be in one batch, and entry ids must differ.
                json.writeStringField("Id", Integer.toString(i));
                json.writeStringField("ReceiptHandle", messages.get(i).receipt());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static List<Answer> answers(AwsResponse answer, int size) {
        answer.requireOk();
        List<Answer> answers = new ArrayList<>(Collections.nCopies(size, Answer.DONE));
        try (JsonParser json = answer.parser()) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = json.currentName().equals("Failed");
                if (json.nextToken() == JsonToken.START_ARRAY && wanted) {
                    while (json.nextToken() == JsonToken.START_OBJECT) {
                        readFailed(json, answers);
                    }
                } else {
                    json.skipChildren();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("malformed response", e);
        }
        return answers;
    }

    private static void readFailed(JsonParser json, List<Answer> answers) throws IOException {
        int position = -1;
        boolean sendersFault = false;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "Id" -> position = Integer.parseInt(json.getText());
                case "SenderFault" -> sendersFault = json.getBooleanValue();
                default -> json.skipChildren();
            }
        }
        answers.set(position, sendersFault ? Answer.REFUSED : Answer.RETRY);
    }

    @Override
    public String name() {
        return "delete";
    }
}
