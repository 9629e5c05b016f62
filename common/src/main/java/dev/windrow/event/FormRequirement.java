package dev.windrow.event;

import java.util.List;

import dev.windrow.base.KeyCodec;

public record FormRequirement(FormPath path, Condition condition) {

    String text() {
        return KeyCodec.encode(List.of(path.text(), condition.text()));
    }
}
