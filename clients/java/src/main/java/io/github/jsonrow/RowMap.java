package io.github.jsonrow;

import java.io.Serial;
import java.io.Serializable;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;

/**
 * A row as a map: its cells, and the names, which all rows have together. That takes less time and memory than a
 * LinkedHashMap, and behaves like one: it becomes one when a key is added or removed.
 */
final class RowMap extends AbstractMap<String, Object> implements Serializable {
    @Serial
    private static final long serialVersionUID = 1;
    private final transient Names names;
    private final transient Object[] cells;
    private transient Map<String, Object> changed;

    /** The names, each once, and the places of the cells that they name. */
    static final class Names {
        private final Map<String, Integer> places = new LinkedHashMap<>();
        private final String[] names;
        /** Of each column; of columns of the same name, the last counts. */
        final int[] ofColumn;

        Names(List<Column> columns) {
            ofColumn = new int[columns.size()];
            for (int i = 0; i < ofColumn.length; i++) {
                places.putIfAbsent(columns.get(i).name(), places.size());
                ofColumn[i] = places.get(columns.get(i).name());
            }
            names = places.keySet().toArray(String[]::new);
        }

        int size() {
            return names.length;
        }
    }

    RowMap(Names names, Object[] cells) {
        this.names = names;
        this.cells = cells;
    }

    private Map<String, Object> changed() {
        if (changed == null) {
            Map<String, Object> all = new LinkedHashMap<>();
            for (int i = 0; i < cells.length; i++) all.put(names.names[i], cells[i]);
            changed = all;
        }
        return changed;
    }

    @Override
    public int size() {
        return changed == null ? cells.length : changed.size();
    }

    @Override
    public boolean containsKey(Object key) {
        return changed == null ? names.places.containsKey(key) : changed.containsKey(key);
    }

    @Override
    public Object get(Object key) {
        if (changed != null) return changed.get(key);
        Integer place = names.places.get(key);
        return place == null ? null : cells[place];
    }

    @Override
    public Object put(String key, Object value) {
        Integer place = changed == null ? names.places.get(key) : null;
        if (place == null) return changed().put(key, value);
        Object before = cells[place];
        cells[place] = value;
        return before;
    }

    @Override
    public Object remove(Object key) {
        return containsKey(key) ? changed().remove(key) : null;
    }

    @Override
    public void clear() {
        changed().clear();
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return RowMap.this.size();
            }

            @Override
            public Iterator<Entry<String, Object>> iterator() {
                return changed == null ? new Entries() : changed.entrySet().iterator();
            }
        };
    }

    private final class Entries implements Iterator<Entry<String, Object>> {
        private int next;
        /** What goes on after something was removed */
        private Iterator<Entry<String, Object>> rest;

        @Override
        public boolean hasNext() {
            return rest == null ? next < cells.length : rest.hasNext();
        }

        @Override
        public Entry<String, Object> next() {
            if (rest != null) return rest.next();
            if (next == cells.length) throw new NoSuchElementException();
            return new SimpleEntry<>(names.names[next], cells[next++]) {
                @Serial
                private static final long serialVersionUID = 1;

                @Override
                public Object setValue(Object value) {
                    RowMap.this.put(getKey(), value);
                    return super.setValue(value);
                }
            };
        }

        @Override
        public void remove() {
            if (rest == null) {
                if (next == 0) throw new IllegalStateException();
                rest = changed().entrySet().iterator();
                for (int i = 0; i < next; i++) rest.next();
            }
            rest.remove();
        }
    }

    @Serial
    private Object writeReplace() {
        return new LinkedHashMap<>(this);
    }
}
