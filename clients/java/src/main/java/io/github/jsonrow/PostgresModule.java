package io.github.jsonrow;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.function.Function;

/** Teaches Jackson the types that PostgreSQL writes in JSON in a way of its own. */
final class PostgresModule extends SimpleModule {
    private static final long serialVersionUID = 1;

    PostgresModule() {
        super("jsonrow");
        text(byte[].class, PostgresText::bytes, PostgresText::text);
        text(LocalDate.class, PostgresText::date, PostgresText::text);
        text(LocalTime.class, LocalTime::parse, LocalTime::toString);
        text(LocalDateTime.class, PostgresText::dateTime, PostgresText::text);
        text(OffsetDateTime.class, PostgresText::offsetDateTime, PostgresText::text);
        text(Instant.class, PostgresText::instant, PostgresText::text);
    }

    private <T> void text(Class<T> type, Function<String, T> read, Function<T, String> write) {
        addDeserializer(type, new Reader<>(type, read));
        addSerializer(type, new Writer<>(type, write));
    }

    private static final class Reader<T> extends StdScalarDeserializer<T> {
        private static final long serialVersionUID = 1;
        private final transient Function<String, T> read;

        Reader(Class<T> type, Function<String, T> read) {
            super(type);
            this.read = read;
        }

        @Override
        @SuppressWarnings("unchecked")
        public T deserialize(JsonParser p, DeserializationContext context) throws IOException {
            if (p.currentToken() != JsonToken.VALUE_STRING) return (T) context.handleUnexpectedToken(_valueClass, p);
            String text = p.getText();
            try {
                return read.apply(text);
            } catch (DateTimeException | IllegalArgumentException e) {
                return (T) context.handleWeirdStringValue(_valueClass, text, "%s", e.getMessage());
            }
        }
    }

    private static final class Writer<T> extends StdScalarSerializer<T> {
        private static final long serialVersionUID = 1;
        private final transient Function<T, String> write;

        Writer(Class<T> type, Function<T, String> write) {
            super(type);
            this.write = write;
        }

        @Override
        public void serialize(T value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeString(write.apply(value));
        }
    }
}
