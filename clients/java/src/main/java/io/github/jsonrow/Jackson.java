package io.github.jsonrow;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.BeanDeserializer;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.ser.BeanSerializer;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;

/**
 * Where Jackson 3 differs from Jackson 2 by more than names. The class of the same name in src/main/jackson3 has what
 * is to be done there; all other classes exist once, and jackson3.xml changes the names in them.
 */
final class Jackson {
    private Jackson() {}

    /** A copy of the mapper, with one more module. */
    static ObjectMapper with(ObjectMapper mapper, Module module) {
        return mapper.copy().registerModule(module);
    }

    /** What deserializers need besides the parser. */
    static DeserializationContext context(ObjectMapper mapper, JsonParser p) {
        return ((DefaultDeserializationContext) mapper.getDeserializationContext())
            .createInstance(mapper.getDeserializationConfig(), p, null);
    }

    /** What serializers need besides the generator. */
    static SerializerProvider provider(ObjectMapper mapper) {
        return mapper.getSerializerProviderInstance();
    }

    static BeanDescription describe(DeserializationContext context, JavaType type) {
        return context.getConfig().introspect(type);
    }

    static BeanDescription describe(SerializerProvider provider, JavaType type) {
        return provider.getConfig().introspect(type);
    }

    static boolean hasIdentity(BeanDeserializer bean, DeserializationContext context) {
        return bean.getObjectIdReader() != null;
    }

    static boolean isUnwrapped(AnnotatedMember member, DeserializationContext context) {
        return context.getAnnotationIntrospector().findUnwrappingNameTransformer(member) != null;
    }

    static void set(SettableBeanProperty property, DeserializationContext context, Object bean, Object value)
            throws IOException {
        property.set(bean, value);
    }

    /** Reads what the buffer holds, from its first token on. */
    static JsonParser parser(TokenBuffer buffer, DeserializationContext context) throws IOException {
        return buffer.asParserOnFirstToken();
    }

    static JsonSerializer<Object> serializer(SerializerProvider provider, JavaType type) throws IOException {
        return provider.findValueSerializer(type, null);
    }

    /** Does it write an object of its properties, no more and no less? */
    static boolean isOfBeans(JsonSerializer<?> serializer) {
        return serializer.getClass() == BeanSerializer.class;
    }

    /** The error of the input itself that an error of Jackson stands for; null if there is none. */
    static IOException ofInput(Throwable error) {
        return null; // it comes as it is
    }
}
