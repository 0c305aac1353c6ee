package io.github.jsonrow.jackson3;

import java.io.IOException;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializer;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.ser.BeanSerializer;
import tools.jackson.databind.ser.SerializationContextExt;
import tools.jackson.databind.ser.UnrolledBeanSerializer;
import tools.jackson.databind.util.TokenBuffer;

/** Where Jackson 3 differs from Jackson 2 by more than names: see the class of the same name for that. */
final class Jackson {
    private Jackson() {}

    static ObjectMapper with(ObjectMapper mapper, JacksonModule module) {
        return mapper.rebuild().addModule(module).build();
    }

    /** The mapper has made one together with the parser. */
    static DeserializationContext context(ObjectMapper mapper, JsonParser p) {
        return (DeserializationContext) p.objectReadContext();
    }

    /** Serializers ask it what generators can do, which it knows once it has written a value with one. */
    static SerializationContext provider(ObjectMapper mapper) {
        SerializationContextExt provider = mapper._serializationContext();
        try (JsonGenerator nowhere = mapper.createGenerator(Writer.nullWriter())) {
            provider.serializeValue(nowhere, null);
        }
        return provider;
    }

    static BeanDescription describe(DeserializationContext context, JavaType type) {
        return context.introspectBeanDescription(type);
    }

    static BeanDescription describe(SerializationContext provider, JavaType type) {
        return provider.introspectBeanDescription(type);
    }

    static boolean hasIdentity(BeanDeserializer bean, DeserializationContext context) {
        return bean.getObjectIdReader(context) != null;
    }

    static boolean isUnwrapped(AnnotatedMember member, DeserializationContext context) {
        return context.getAnnotationIntrospector().findUnwrappingNameTransformer(context.getConfig(), member) != null;
    }

    static void set(SettableBeanProperty property, DeserializationContext context, Object bean, Object value) {
        property.set(context, bean, value);
    }

    static JsonParser parser(TokenBuffer buffer, DeserializationContext context) {
        return buffer.asParserOnFirstToken(context);
    }

    static ValueSerializer<Object> serializer(SerializationContext provider, JavaType type) {
        return provider.findContentValueSerializer(type, null);
    }

    static boolean isOfBeans(ValueSerializer<?> serializer) {
        return serializer.getClass() == BeanSerializer.class || serializer.getClass() == UnrolledBeanSerializer.class;
    }

    static IOException ofInput(Throwable error) {
        return error instanceof JacksonIOException input ? input.getCause() : null;
    }
}
