package dev.windrow.writer.deadletter;

/** The characters that SQS accepts in bodies and attributes: those of XML 1.0 (API reference, "SendMessage"). */
final class SqsText {

    private SqsText() {
    }

    /** Whether SQS accepts a text. */
    static boolean isAllowed(String text) {
        return !text.isEmpty() && text.codePoints().allMatch(SqsText::isAllowed);
    }

    /** Whether SQS accepts a character; half a surrogate pair is none. */
    static boolean isAllowed(int character) {
        return character == '\t' || character == '\n' || character == '\r' || (character >= 0x20 && character <= 0xD7FF)
                || (character >= 0xE000 && character <= 0xFFFD) || character >= 0x10000;
    }
}
