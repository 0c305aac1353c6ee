package io.github.jsonrow;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.PropertyWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Writes objects as a document: records within records become composites, collections of them nested documents. */
final class Encoder {
    private final ObjectMapper mapper;
    private final SerializerProvider provider;
    private final Deque<JavaType> within = new ArrayDeque<>();

    Encoder(ObjectMapper mapper) {
        this.mapper = mapper;
        provider = Jackson.provider(mapper);
    }

    /** A property; with those of what is in it, unless that is a plain cell. */
    private record Field(PropertyWriter property, List<Field> nested, boolean many) {
        Object get(Object bean) throws Exception {
            return ((BeanPropertyWriter) property).get(bean);
        }
    }

    String encode(Collection<?> rows, Class<?> type) {
        StringWriter text = new StringWriter();
        return RowCursor.of(() -> {
            try (JsonGenerator out = mapper.createGenerator(text)) {
                Object first = rows.stream().filter(Objects::nonNull).findFirst().orElse(null);
                Class<?> is = type != null ? type : first != null ? first.getClass() : Map.class;
                List<Field> fields = Map.class.isAssignableFrom(is) ? null : fields(provider.constructType(is));
                if (fields != null) beans(rows, is, fields, out);
                else maps(rows, out);
            }
            return text.toString();
        });
    }

    private void beans(Collection<?> rows, Class<?> type, List<Field> fields, JsonGenerator out) throws Exception {
        out.writeStartObject();
        out.writeFieldName("cols");
        header(fields, out);
        out.writeArrayFieldStart("rows");
        for (Object row : rows) {
            if (row != null && !type.isInstance(row))
                throw new IllegalArgumentException("rows are of " + type + " and of " + row.getClass());
            row(row, fields, out);
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    /** Null if the class is not written as an object of its properties, no more and no less. */
    private List<Field> fields(JavaType type) throws IOException {
        JsonSerializer<Object> serializer = Jackson.serializer(provider, type);
        BeanDescription description = Jackson.describe(provider, type);
        if (!Jackson.isOfBeans(serializer) || serializer.usesObjectId() || within.contains(type)
            || description.findAnyGetter() != null || provider.findTypeSerializer(type) != null) return null;
        within.push(type);
        List<Field> fields = new ArrayList<>();
        for (Iterator<PropertyWriter> all = serializer.properties(); all.hasNext();) {
            PropertyWriter property = all.next();
            if (property instanceof BeanPropertyWriter writer && writer.isUnwrapping()) fields = null;
            if (fields == null) break;
            fields.add(field(property));
        }
        within.pop();
        return fields;
    }

    private Field field(PropertyWriter property) throws IOException {
        if (property.getClass() != BeanPropertyWriter.class) return new Field(property, null, false);
        BeanPropertyWriter writer = (BeanPropertyWriter) property;
        boolean own = writer.getTypeSerializer() == null && (!writer.hasSerializer()
            || writer.getSerializer().getClass().getName().startsWith("com.fasterxml.jackson.databind.ser."));
        JavaType type = writer.getType();
        boolean many = type.isCollectionLikeType();
        JavaType row = many ? type.getContentType() : type;
        boolean plain = !own || row.isJavaLangObject() || row.isMapLikeType() || row.isContainerType();
        List<Field> nested = plain ? null : fields(row);
        return new Field(property, nested, many);
    }

    private static void header(List<Field> fields, JsonGenerator out) throws IOException {
        out.writeStartArray();
        for (Field field : fields) {
            if (field.nested == null) {
                out.writeString(field.property.getName());
                continue;
            }
            out.writeStartObject();
            out.writeFieldName(field.property.getName());
            if (field.many) out.writeStartArray();
            header(field.nested, out);
            if (field.many) out.writeEndArray();
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void row(Object bean, List<Field> fields, JsonGenerator out) throws Exception {
        if (bean == null) {
            out.writeNull();
            return;
        }
        out.writeStartArray();
        for (Field field : fields) {
            if (field.nested == null) field.property.serializeAsElement(bean, out, provider);
            else if (field.many) rows((Collection<?>) field.get(bean), field.nested, out);
            else row(field.get(bean), field.nested, out);
        }
        out.writeEndArray();
    }

    private void rows(Collection<?> rows, List<Field> fields, JsonGenerator out) throws Exception {
        if (rows == null) {
            out.writeNull();
            return;
        }
        out.writeStartArray();
        for (Object row : rows) row(row, fields, out);
        out.writeEndArray();
    }

    /** Of maps, the columns are all the keys that there are; what is nested stays a plain cell. */
    private void maps(Collection<?> rows, JsonGenerator out) throws IOException {
        List<Map<?, ?>> maps = new ArrayList<>();
        Set<Object> names = new LinkedHashSet<>();
        for (Object row : rows) {
            Map<?, ?> map = row == null || row instanceof Map ? (Map<?, ?>) row
                : mapper.convertValue(row, LinkedHashMap.class);
            if (map != null) names.addAll(map.keySet());
            maps.add(map);
        }
        out.writeStartObject();
        out.writeArrayFieldStart("cols");
        for (Object name : names) out.writeString(name.toString());
        out.writeEndArray();
        out.writeArrayFieldStart("rows");
        for (Map<?, ?> map : maps) {
            if (map == null) {
                out.writeNull();
                continue;
            }
            out.writeStartArray();
            for (Object name : names) out.writePOJO(map.get(name));
            out.writeEndArray();
        }
        out.writeEndArray();
        out.writeEndObject();
    }
}
