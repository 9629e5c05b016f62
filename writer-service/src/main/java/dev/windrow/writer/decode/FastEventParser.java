package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Event;
import dev.windrow.dataset.Event.Attribute;
import dev.windrow.dataset.TenantNames;
import dev.windrow.writer.decode.BodyReader.BodyKind;
import dev.windrow.writer.decode.BodyReader.Json;
import dev.windrow.writer.decode.EventCollector.RejectedEvent;
import dev.windrow.writer.decode.EventDecoder.EventDefaults;

/**
 * Parses texts in which every event is valid, in Windrow's own form and in its usual spelling: flat attributes, times in
 * UTC, no escapes. On anything else the general reader, which takes more than twice as long, takes over for the whole
 * text, so that both accept and reject the same events with the same messages.
 */
final class FastEventParser {

    private static final Attribute TRUE = new Attribute.Flag(true);
    private static final Attribute FALSE = new Attribute.Flag(false);
    private static final FieldName TYPE = new FieldName("type");
    private static final FieldName TIME = new FieldName("time");
    private static final FieldName ID = new FieldName("id");
    private static final FieldName TENANT = new FieldName("tenant");
    private static final FieldName ATTRIBUTES = new FieldName("attributes");
    private static final byte[] TRUE_WORD = "true".getBytes(UTF_8);
    private static final byte[] FALSE_WORD = "false".getBytes(UTF_8);
    private static final byte[] NULL_WORD = "null".getBytes(UTF_8);

    private final byte[] text;
    private final int start;
    private final FastJsonScanner json;
    private final UsedAttributes used;
    private final StringInterner texts;
    private final Rfc3339Parser times = new Rfc3339Parser();
    private final EventDefaults hints;
    private final EventCollector collector;

    private @Nullable String type;
    private @Nullable Instant time;
    private @Nullable String id;
    private @Nullable String tenant;
    private @Nullable Map<String, Attribute> attributes;

    /**
     * @param text well-formed UTF-8
     * @param start where in it the text begins
     */
    FastEventParser(byte[] text, int start, UsedAttributes used, StringInterner texts, EventDefaults hints,
            EventCollector collector) {
        this.text = text;
        this.start = start;
        this.json = new FastJsonScanner(text, start);
        this.used = used;
        this.texts = texts;
        this.hints = hints;
        this.collector = collector;
    }

    /** Reads all events; returns false, perhaps after some, at anything that only the general reader understands. */
    boolean read(BodyKind kind) {
        return switch (kind) {
            case ARRAY -> array();
            case OBJECT -> object();
            case LINES -> lines();
        };
    }

    private boolean object() {
        Event event = event();
        if (event == null || !json.isAtEnd()) {
            return false;
        }
        collector.good(RejectedEvent.WHOLE, event, text, start, text.length);
        return true;
    }

    private boolean array() {
        json.pass('[');
        int index = 0;
        do {
            int from = json.position();
            Event event = event();
            if (event == null) {
                return false;
            }
            collector.good(index++, event, text, from, json.position());
        } while (json.passedComma(']'));
        return json.isSure() && json.isAtEnd();
    }

    private boolean lines() {
        int line = 0;
        for (int from = start; from < text.length; line++) {
            int to = BodyKind.lineEnd(text, from);
            json.narrow(from, to);
            if (!json.isAtEnd()) {
                Event event = event();
                if (event == null || !json.isAtEnd()) {
                    return false;
                }
                collector.good(line, event, text, from, to);
            }
            from = to + 1;
        }
        return true;
    }

    private @Nullable Event event() {
        type = null;
        time = null;
        id = null;
        tenant = null;
        attributes = null;
        json.pass('{');
        do {
            field();
        } while (json.isSure() && json.passedComma('}'));
        String eventType = type == null ? hints.type() : type;
        String owner = tenant == null ? hints.tenant() : tenant;
        if (!json.isSure() || eventType == null || time == null || !TenantNames.isValid(owner)) {
            return null;
        }
        return new Event(eventType, time, id, owner, attributes == null ? Map.of() : attributes, 1);
    }

    /** A duplicate, unknown or oddly spelled field is left to the general reader. */
    private void field() {
        json.skipBlank();
        if (type == null && json.passed(TYPE)) {
            type = string();
        } else if (time == null && json.passed(TIME)) {
            json.passText();
            time = json.isSure() ? times.parse(text, json.from(), json.to() - json.from()) : null;
            if (time == null) {
                json.giveUp();
            }
        } else if (attributes == null && json.passed(ATTRIBUTES)) {
            attributes = attributes();
        } else if (id == null && json.passed(ID)) {
            id = rareString();
        } else if (tenant == null && json.passed(TENANT)) {
            tenant = string();
        } else {
            json.giveUp();
        }
    }

    private @Nullable String string() {
        return passedString() ? texts.of(text, json.from(), json.to(), json.hash()) : null;
    }

    /** One that hardly repeats. */
    private @Nullable String rareString() {
        return passedString() ? new String(text, json.from(), json.to() - json.from(), UTF_8) : null;
    }

    private boolean passedString() {
        json.passText();
        if (json.to() - json.from() > Json.MAX_VALUE) {
            json.giveUp();
        }
        return json.isSure();
    }

    private Map<String, Attribute> attributes() {
        SmallAttributeMap read = new SmallAttributeMap();
        json.pass('{');
        if (json.passed('}')) {
            return Map.of();
        }
        do {
            String name = used.passed(json);
            if (name == null) {
                unusedName();
            }
            Attribute value = value(name != null);
            if (name != null && value != null && !read.add(name, value)) {
                json.giveUp();
            }
        } while (json.isSure() && json.passedComma('}'));
        return read;
    }

    /** Gives up at an unusual spelling, which might be that of a used name. */
    private void unusedName() {
        json.passText();
        if (json.to() - json.from() > UsedAttributes.MAX_PLAIN_BYTES || !json.passedAtOnce(':')) {
            json.giveUp();
        }
    }

    /** A value; null if it is null, or not wanted. */
    private @Nullable Attribute value(boolean wanted) {
        byte first = json.peek();
        if (first == '"') {
            if (wanted) {
                String string = string();
                return string == null ? null : new Attribute.Text(string);
            }
            json.passText();
            return null;
        }
        if (first == '-' || (first >= '0' && first <= '9')) {
            BigDecimal number = json.number();
            return wanted ? new Attribute.Decimal(number) : null;
        }
        if (json.passedWord(TRUE_WORD)) {
            return TRUE;
        }
        if (json.passedWord(FALSE_WORD)) {
            return FALSE;
        }
        if (!json.passedWord(NULL_WORD)) {
            json.giveUp();
        }
        return null;
    }

    /**
     * Scans the most common JSON tokens in place: whitespace, strings without escapes, short numbers. It gives up at anything
     * else, which is no error: the general reader takes over.
     */
    static final class FastJsonScanner {

        /** Digits of a number that surely fit into a long. */
        private static final int FEW_DIGITS = 18;
        private static final int TEN = 10;

        private final byte[] text;
        private int end;
        private int at;
        private boolean sure = true;
        private int from;
        private long hash;

        /**
         * @param text well-formed UTF-8
         * @param start where in it to start
         */
        FastJsonScanner(byte[] text, int start) {
            this.text = text;
            this.at = start;
            this.end = text.length;
        }

        /** Restricts the scan to one line. */
        void narrow(int lineFrom, int lineTo) {
            at = lineFrom;
            end = lineTo;
        }

        /** Whether all was understood so far. */
        boolean isSure() {
            return sure;
        }

        void giveUp() {
            sure = false;
        }

        /** The byte that comes next. */
        int position() {
            return at;
        }

        /** Whether only whitespace is left. */
        boolean isAtEnd() {
            skipBlank();
            return at >= end;
        }

        /** The next character that is not whitespace; 0 at the end. */
        byte peek() {
            skipBlank();
            return at < end ? text[at] : 0;
        }

        /** Skips whitespace, of which there is hardly any: its loop is kept out of what runs for each token. */
        void skipBlank() {
            if (at < end && BodyKind.isBlank(text[at])) {
                skipAllBlank();
            }
        }

        private void skipAllBlank() {
            do {
                at++;
            } while (at < end && BodyKind.isBlank(text[at]));
        }

        /** Skips a character that must come next. */
        void pass(char c) {
            if (!passed(c)) {
                sure = false;
            }
        }

        /** Skips a character if it comes next. */
        boolean passed(char c) {
            skipBlank();
            return passedAtOnce(c);
        }

        /** Skips a character if it comes next, with no whitespace before it. */
        boolean passedAtOnce(char c) {
            if (at >= end || text[at] != c) {
                return false;
            }
            at++;
            return true;
        }

        /** Skips a comma, or else the end of an object or array, which must come next; returns whether it was a comma. */
        boolean passedComma(char close) {
            if (passed(',')) {
                return true;
            }
            if (!passedAtOnce(close)) {
                sure = false;
            }
            return false;
        }

        /**
         * Skips a string; {@link #from} and {@link #to} are then the limits of its characters, and {@link #hash} is their hash.
         */
        void passText() {
            pass('"');
            from = at;
            hash = 0;
            while (at + Long.BYTES <= end) {
                long word = Swar.at(text, at);
                int plain = Swar.plainBytes(word);
                if (plain < Long.BYTES) {
                    hash = Swar.hash(hash, word & Swar.lowest(plain));
                    at += plain;
                    endText();
                    return;
                }
                hash = Swar.hash(hash, word);
                at += Long.BYTES;
            }
            long word = 0;
            int plain = 0;
            while (at < end && text[at] != '"' && text[at] != '\\' && (text[at] >= ' ' || text[at] < 0)) {
                word |= (text[at] & 0xFFL) << (plain * Byte.SIZE);
                plain++;
                at++;
            }
            hash = Swar.hash(hash, word);
            endText();
        }

        private void endText() {
            if (at >= end || text[at] != '"') {
                sure = false;
            } else {
                at++;
            }
        }

        /**
         * Skips a field's name if it comes next, with no whitespace before it and its colon right behind it; false is no proof
         * that another name comes.
         */
        boolean passed(FieldName field) {
            if (!field.isAt(text, at, end)) {
                return false;
            }
            at += field.length();
            return true;
        }

        int from() {
            return from;
        }

        int to() {
            return at - 1;
        }

        long hash() {
            return hash;
        }

        /** Skips a word such as {@code true} if it comes next, with no whitespace before it. */
        boolean passedWord(byte[] word) {
            if (end - at < word.length || !Arrays.equals(text, at, at + word.length, word, 0, word.length)) {
                return false;
            }
            at += word.length;
            return true;
        }

        /** A number, with no whitespace before it. */
        BigDecimal number() {
            boolean negative = passedAtOnce('-');
            int first = at;
            long digits = 0;
            int point = -1;
            while (at < end && (isDigit(text[at]) || (text[at] == '.' && point < 0))) {
                if (text[at] == '.') {
                    point = at;
                } else {
                    digits = TEN * digits + text[at] - '0';
                }
                at++;
            }
            int length = at - first - (point < 0 ? 0 : 1);
            int whole = (point < 0 ? at : point) - first;
            boolean plain = whole > 0 && length <= FEW_DIGITS && (text[first] != '0' || whole == 1) && point != at - 1;
            // What follows must end the number: an exponent, say, does not.
            boolean ends = at < end && (text[at] == ',' || text[at] == '}' || BodyKind.isBlank(text[at]));
            if (!plain || !ends) {
                sure = false;
                return BigDecimal.ZERO;
            }
            return digits == 0 ? BigDecimal.ZERO
                    : BigDecimal.valueOf(negative ? -digits : digits, point < 0 ? 0 : at - 1 - point);
        }

        private static boolean isDigit(byte c) {
            return c >= '0' && c <= '9';
        }
    }

    /**
     * A field's name as it usually stands in JSON: quoted, without escapes, and followed at once by a colon. Recognized by its
     * first sixteen bytes, eight at a time, as most fields of an event are one of few.
     */
    static final class FieldName {

        private static final int WORDS_BYTES = 2 * Long.BYTES;

        private final String name;
        private final byte[] token;
        private final long first;
        private final long firstMask;
        private final long second;
        private final long secondMask;

        /** @param name without characters that JSON escapes */
        FieldName(String name) {
            this.name = name;
            this.token = ('"' + name + "\":").getBytes(UTF_8);
            byte[] padded = Arrays.copyOf(token, Math.max(token.length, WORDS_BYTES));
            this.first = Swar.at(padded, 0);
            this.firstMask = Swar.lowest(Math.min(token.length, Long.BYTES));
            this.second = Swar.at(padded, Long.BYTES);
            this.secondMask = Swar.lowest(Math.max(0, Math.min(token.length - Long.BYTES, Long.BYTES)));
        }

        /** The name itself. */
        String name() {
            return name;
        }

        /** Number of bytes with quotes and colon. */
        int length() {
            return token.length;
        }

        /**
         * Whether the field starts at a position.
         *
         * @param end of the text that may be read
         */
        boolean isAt(byte[] text, int at, int end) {
            if (end - at < token.length) {
                return false;
            }
            if (at + WORDS_BYTES > text.length) {
                return Arrays.equals(text, at, at + token.length, token, 0, token.length);
            }
            return ((Swar.at(text, at) ^ first) & firstMask) == 0
                    && ((Swar.at(text, at + Long.BYTES) ^ second) & secondMask) == 0
                    && (token.length <= WORDS_BYTES || Arrays.equals(text, at + WORDS_BYTES, at + token.length, token,
                            WORDS_BYTES, token.length));
        }
    }

    /** The names of the attributes that some dataset uses; others are skipped unread. */
    static final class UsedAttributes {

        /** Maximum size of a name that the fast parser reads, used or not. */
        static final int MAX_PLAIN_BYTES = 256;

        private final Set<String> names;
        /** All but those at which the fast parser gives up anyway: long ones, and such that JSON has to escape. */
        private final FieldName[] fields;

        UsedAttributes(Set<String> names) {
            this.names = Set.copyOf(names);
            this.fields = this.names.stream().filter(UsedAttributes::isPlain).map(FieldName::new).toArray(FieldName[]::new);
        }

        private static boolean isPlain(String name) {
            return name.getBytes(UTF_8).length <= MAX_PLAIN_BYTES && UTF_8.newEncoder().canEncode(name)
                    && name.chars().noneMatch(c -> c < ' ' || c == '"' || c == '\\');
        }

        boolean contains(String name) {
            return names.contains(name);
        }

        /** Skips the name of a field and its colon if it is one of them, which is returned. */
        @Nullable
        String passed(FastJsonScanner json) {
            json.skipBlank();
            for (FieldName field : fields) {
                if (json.passed(field)) {
                    return field.name();
                }
            }
            return null;
        }
    }

    /** The attributes of one event. They are few, so a linear search costs less than a hash table for each event. */
    static final class SmallAttributeMap extends AbstractMap<String, Attribute> {

        private static final int FEW = 2;

        private String[] names = new String[FEW];
        private Attribute[] values = new Attribute[FEW];
        private int size;

        /** @return false, and nothing is added, if there is one of that name */
        boolean add(String name, Attribute value) {
            if (get(name) != null) {
                return false;
            }
            if (size == names.length) {
                names = Arrays.copyOf(names, 2 * size);
                values = Arrays.copyOf(values, 2 * size);
            }
            names[size] = name;
            values[size] = value;
            size++;
            return true;
        }

        @Override
        public @Nullable Attribute get(@Nullable Object name) {
            for (int i = 0; i < size; i++) {
                if (names[i].equals(name)) {
                    return values[i];
                }
            }
            return null;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public Set<Map.Entry<String, Attribute>> entrySet() {
            Map<String, Attribute> all = new LinkedHashMap<>();
            for (int i = 0; i < size; i++) {
                all.put(names[i], values[i]);
            }
            return Collections.unmodifiableSet(all.entrySet());
        }
    }

    /**
     * Recently read strings. Types and labels repeat: an interned one costs no memory and has its hash already. Bounded, as a
     * string replaces another one whose hash has the same highest bits. Thread-safe: at worst a string is created twice.
     */
    static final class StringInterner {

        private static final int PLACE_BITS = 12;
        private static final int LONGEST = 256;

        private final @Nullable Known[] known = new Known[1 << PLACE_BITS];

        private record Known(byte[] utf8, String text) {

            static Known of(byte[] utf8, int from, int to) {
                byte[] copy = Arrays.copyOfRange(utf8, from, to);
                return new Known(copy, new String(copy, UTF_8));
            }

            boolean is(byte[] other, int from, int to) {
                return Arrays.equals(utf8, 0, utf8.length, other, from, to);
            }
        }

        /**
         * The string of these bytes of UTF-8.
         *
         * @param hash of the bytes
         */
        String of(byte[] utf8, int from, int to, long hash) {
            if (to - from > LONGEST) {
                return new String(utf8, from, to - from, UTF_8);
            }
            int place = (int) (hash >>> (Long.SIZE - PLACE_BITS));
            Known text = known[place];
            if (text == null || !text.is(utf8, from, to)) {
                text = Known.of(utf8, from, to);
                known[place] = text;
            }
            return text.text();
        }
    }

    /** SIMD within a register: examines eight bytes at a time, as byte-by-byte loops dominate the time of parsing an event. */
    static final class Swar {

        private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
        private static final long ONES = 0x0101_0101_0101_0101L;
        private static final long HIGHEST_BITS = ONES << 7;
        private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;

        private Swar() {
        }

        /** Eight bytes, the first one lowest. */
        static long at(byte[] bytes, int position) {
            return (long) WORDS.get(bytes, position);
        }

        /**
         * How many of a word's bytes come before the first that is a quote, a backslash or a control character; 8 if none is.
         */
        static int plainBytes(long word) {
            // Each difference borrows from the highest bit of a byte that is zero, or too small, and perhaps of later ones.
            long quotes = word ^ ONES * '"';
            long backslashes = word ^ ONES * '\\';
            long found = ((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes) | ((word - ONES * ' ') & ~word);
            return Long.numberOfTrailingZeros(found & HIGHEST_BITS) / Byte.SIZE;
        }

        /** How many of a word's bytes come before the first that is a line feed; 8 if none is. */
        static int bytesBeforeLineFeed(long word) {
            long lineFeeds = word ^ ONES * '\n';
            return Long.numberOfTrailingZeros((lineFeeds - ONES) & ~lineFeeds & HIGHEST_BITS) / Byte.SIZE;
        }

        /** A mask of a word's first bytes, 0 to 8 of them. */
        static long lowest(int bytes) {
            return bytes == Long.BYTES ? -1 : (1L << (bytes * Byte.SIZE)) - 1;
        }

        /**
         * Adds eight bytes to a hash; use its high bits.
         *
         * @param hash of the bytes before, 0 at first
         * @param word padded with zeros if there are fewer
         */
        static long hash(long hash, long word) {
            return (hash ^ word) * GOLDEN_RATIO;
        }
    }
}
