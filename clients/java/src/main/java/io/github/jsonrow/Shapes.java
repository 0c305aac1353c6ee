package io.github.jsonrow;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.deser.BeanDeserializer;
import com.fasterxml.jackson.databind.deser.CreatorProperty;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.deser.std.CollectionDeserializer;
import com.fasterxml.jackson.databind.deser.std.MapDeserializer;
import com.fasterxml.jackson.databind.deser.std.UntypedObjectDeserializer;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.util.ClassUtil;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Compiles a header and a class into the shape of a row. What Jackson knows of the class (annotations, naming
 * strategy, constructor, deserializers of properties) holds here, too: the properties are its own, found once
 * by the names in the header, and then used by position.
 */
final class Shapes {
    private final DeserializationContext context;
    private final JsonDeserializer<Object> any;
    private boolean usesTypes;

    Shapes(DeserializationContext context) throws IOException {
        this.context = context;
        any = context.findRootValueDeserializer(context.constructType(Object.class));
    }

    /** Do the document's own types matter, for what the class leaves open? */
    boolean usesTypes() {
        return usesTypes;
    }

    RowShape of(JavaType type, List<Column> columns) throws IOException {
        JsonDeserializer<Object> deserializer = context.findRootValueDeserializer(type);
        RowShape shape = of(type, deserializer, columns);
        return shape != null ? shape : new RowShape.Expanded(columns, deserializer);
    }

    /** Null if only Jackson can tell how the object is read. */
    private RowShape of(JavaType type, JsonDeserializer<?> deserializer, List<Column> columns) throws IOException {
        if (isMap(type, deserializer)) return maps(columns, type.hasRawClass(LinkedHashMap.class));
        return isPlainBean(type, deserializer) ? bean(type, (BeanDeserializer) deserializer, columns) : null;
    }

    private boolean isMap(JavaType type, JsonDeserializer<?> deserializer) {
        if (type.isJavaLangObject()) return isUntyped(deserializer);
        return (type.hasRawClass(Map.class) || type.hasRawClass(LinkedHashMap.class))
            && deserializer.getClass() == MapDeserializer.class && (type.getKeyType().hasRawClass(String.class)
                || type.getKeyType().isJavaLangObject())
            && type.getContentType().isJavaLangObject() && isUntyped(any);
    }

    private static boolean isUntyped(JsonDeserializer<?> deserializer) {
        return deserializer.getClass().getName().startsWith(UntypedObjectDeserializer.class.getName());
    }

    /** Without what needs the whole object by name: unwrapped properties, identities and the like. */
    private boolean isPlainBean(JavaType type, JsonDeserializer<?> deserializer) {
        if (deserializer.getClass() != BeanDeserializer.class) return false;
        BeanDeserializer bean = (BeanDeserializer) deserializer;
        BeanDescription description = Jackson.describe(context, type);
        ValueInstantiator maker = bean.getValueInstantiator();
        if (Jackson.hasIdentity(bean, context) || bean.hasViews() && context.getActiveView() != null
            || description.findAnySetterAccessor() != null || hasInjectables(description)
            || maker.canCreateUsingDelegate() || maker.canCreateUsingArrayDelegate()) return false;
        for (Iterator<SettableBeanProperty> all = bean.properties(); all.hasNext();) {
            SettableBeanProperty property = all.next();
            if (property.hasValueTypeDeserializer() || property.getInjectableValueId() != null) return false;
        }
        for (BeanPropertyDefinition property : description.findProperties())
            if (property.getPrimaryMember() != null && Jackson.isUnwrapped(property.getPrimaryMember(), context))
                return false;
        for (Iterator<SettableBeanProperty> all = bean.creatorProperties(); all.hasNext();)
            if (!(all.next() instanceof CreatorProperty)) return false;
        return maker.canCreateFromObjectWith() || maker.canCreateUsingDefault();
    }

    private static boolean hasInjectables(BeanDescription description) {
        Map<Object, AnnotatedMember> injectables = description.findInjectables();
        return injectables != null && !injectables.isEmpty();
    }

    private RowShape maps(List<Column> columns, boolean linked) throws IOException {
        CellReader[] readers = new CellReader[columns.size()];
        for (int i = 0; i < readers.length; i++) readers[i] = untyped(columns.get(i));
        return new RowShape.Maps(columns, readers, linked);
    }

    private CellReader untyped(Column column) throws IOException {
        usesTypes = true;
        if (column.nested() == null) return CellReader.untyped(column.type(), any);
        RowShape shape = maps(column.nested(), false);
        return column.many() ? CellReader.rows(shape) : CellReader.row(shape);
    }

    private RowShape bean(JavaType type, BeanDeserializer bean, List<Column> columns) throws IOException {
        CellReader[] readers = new CellReader[columns.size()];
        SettableBeanProperty[] properties = new SettableBeanProperty[readers.length];
        for (int i = 0; i < readers.length; i++) {
            Column column = columns.get(i);
            properties[i] = property(bean, column.name());
            if (properties[i] == null) unknown(type, bean, column.name());
            else readers[i] = reader(column, properties[i]);
        }
        ValueInstantiator maker = bean.getValueInstantiator();
        Object[] absent = maker.canCreateFromObjectWith() ? absent(bean, properties) : null;
        return new RowShape.Bean(columns, readers, type.getRawClass(), maker, absent, properties);
    }

    /** By its name, or by another that it has, which Jackson 3 does not look for here. */
    private SettableBeanProperty property(BeanDeserializer bean, String name) {
        SettableBeanProperty named = bean.findProperty(new PropertyName(name));
        if (named != null) return named;
        for (Iterator<SettableBeanProperty> all = bean.properties(); all.hasNext();) {
            SettableBeanProperty property = all.next();
            if (isCalled(property, name, bean.isCaseInsensitive())) return property;
        }
        return null;
    }

    private boolean isCalled(SettableBeanProperty property, String name, boolean ignoringCase) {
        if (ignoringCase && property.getName().equalsIgnoreCase(name)) return true;
        for (PropertyName alias : property.findAliases(context.getConfig()))
            if (ignoringCase ? alias.getSimpleName().equalsIgnoreCase(name) : alias.hasSimpleName(name)) return true;
        return false;
    }

    private void unknown(JavaType type, BeanDeserializer bean, String name) throws IOException {
        if (!context.isEnabled(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES) || isIgnored(type, name)) return;
        throw UnrecognizedPropertyException.from(context.getParser(), type.getRawClass(), name,
            bean.getKnownPropertyNames());
    }

    private boolean isIgnored(JavaType type, String name) {
        BeanDescription description = Jackson.describe(context, type);
        var ignored = context.getConfig().getDefaultPropertyIgnorals(type.getRawClass(), description.getClassInfo());
        return ignored != null && (ignored.getIgnoreUnknown() || ignored.findIgnoredForDeserialization()
            .contains(name))
            || description.getIgnoredPropertyNames().contains(name);
    }

    /** The constructor's arguments where the document has no column for them */
    private Object[] absent(BeanDeserializer bean, SettableBeanProperty[] there) throws IOException {
        List<String> names = Arrays.stream(there).filter(Objects::nonNull).map(SettableBeanProperty::getName).toList();
        Object[] values = new Object[bean.getValueInstantiator().getFromObjectArguments(context.getConfig()).length];
        for (Iterator<SettableBeanProperty> all = bean.creatorProperties(); all.hasNext();) {
            SettableBeanProperty property = all.next();
            if (names.contains(property.getName())) continue;
            if (property.isRequired() || context.isEnabled(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES))
                throw new DocumentException("it has no column \"" + property.getName() + "\"");
            boolean primitive = property.getType().isPrimitive();
            if (primitive && there.length > 0) // without any column, the header is not known
                throw new DocumentException("it has no column \"" + property.getName() + "\", and "
                    + property.getType().getRawClass() + " has no null");
            values[property.getCreatorIndex()] = primitive ? ClassUtil.defaultValue(property.getType().getRawClass())
                : property.getNullValueProvider().getAbsentValue(context);
        }
        return values;
    }

    private CellReader reader(Column column, SettableBeanProperty property) throws IOException {
        JavaType type = property.getType();
        if (column.nested() == null) {
            if (!type.isJavaLangObject() || !isUntyped(property.getValueDeserializer()))
                return CellReader.plain(property);
            return untyped(column);
        }
        CellReader nested = column.many() ? rows(column, property) : row(column, property);
        return nested != null ? nested : CellReader.expanded(column, property);
    }

    private CellReader row(Column column, SettableBeanProperty property) throws IOException {
        RowShape shape = of(property.getType(), property.getValueDeserializer(), column.nested());
        if (shape == null) return null;
        return CellReader.row(shape, property);
    }

    private CellReader rows(Column column, SettableBeanProperty property) throws IOException {
        if (property.getType().isJavaLangObject() && isUntyped(property.getValueDeserializer()))
            return untyped(column);
        JsonDeserializer<?> deserializer = property.getValueDeserializer();
        if (deserializer.getClass() != CollectionDeserializer.class) return null;
        CollectionDeserializer collection = (CollectionDeserializer) deserializer;
        JavaType content = property.getType().getContentType();
        if (content.getTypeHandler() != null) return null;
        RowShape shape = of(content, collection.getContentDeserializer(), column.nested());
        if (shape == null) return null;
        ValueInstantiator maker = collection.getValueInstantiator();
        return CellReader.rows(shape, property, context -> cast(maker.createUsingDefault(context)));
    }

    @SuppressWarnings("unchecked")
    private static Collection<Object> cast(Object collection) {
        return (Collection<Object>) collection;
    }
}
