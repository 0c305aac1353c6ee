package io.github.jsonrow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The maps of rows, against LinkedHashMap */
final class RowMapTest {
    private static final RowReader<Map<String, Object>> MAPS = new Jsonrow().maps();

    private static Map<String, Object> row() {
        return MAPS.read("{\"cols\":[\"a\",\"b\",\"\",\"a\",\"c\"],\"rows\":[[0,1,null,3,\"x\"]]}").get(0);
    }

    private static void same(Map<String, Object> expected, Map<String, Object> map) {
        assertEquals(expected, map);
        assertEquals(map, expected);
        assertEquals(expected.hashCode(), map.hashCode());
        assertEquals(expected.toString(), map.toString());
        assertEquals(expected.size(), map.size());
        assertEquals(new ArrayList<>(expected.keySet()), new ArrayList<>(map.keySet()));
        assertEquals(new ArrayList<>(expected.values()), new ArrayList<>(map.values()));
        assertEquals(new ArrayList<>(expected.entrySet()), new ArrayList<>(map.entrySet()));
        for (String key : keys()) {
            assertEquals(expected.get(key), map.get(key));
            assertEquals(expected.containsKey(key), map.containsKey(key));
        }
    }

    private static List<String> keys() {
        List<String> keys = new ArrayList<>(List.of("a", "b", "c", "", "d", "e"));
        keys.add(null);
        return keys;
    }

    /** Goes a few entries far, and changes or removes the last. */
    private static List<Object> walk(Map<String, Object> map, int steps, boolean remove) {
        List<Object> met = new ArrayList<>();
        Iterator<Map.Entry<String, Object>> entries = map.entrySet().iterator();
        for (int i = 0; i < steps && entries.hasNext(); i++) {
            Map.Entry<String, Object> entry = entries.next();
            met.add(entry.toString());
            if (i % 2 == 1 && remove) entries.remove();
            else if (i % 2 == 1) met.add(entry.setValue(steps));
            met.add(entry.toString());
        }
        return met;
    }

    @Test
    @DisplayName("rows as maps behave like LinkedHashMap, whatever is done to them")
    void operations() {
        Random random = new Random(1);
        for (int n = 0; n < 2000; n++) {
            Map<String, Object> map = row();
            Map<String, Object> expected = new LinkedHashMap<>(map);
            for (int i = 0; i < 6; i++) {
                String key = keys().get(random.nextInt(7));
                int steps = random.nextInt(6);
                switch (random.nextInt(8)) {
                    case 0, 1 -> assertEquals(expected.put(key, i), map.put(key, i));
                    case 2 -> assertEquals(expected.remove(key), map.remove(key));
                    case 3 -> assertEquals(walk(expected, steps, true), walk(map, steps, true));
                    case 4 -> assertEquals(walk(expected, steps, false), walk(map, steps, false));
                    case 5 -> assertEquals(expected.keySet().remove(key), map.keySet().remove(key));
                    case 6 -> assertEquals(expected.putIfAbsent(key, i), map.putIfAbsent(key, i));
                    default -> {
                        if (steps > 0) continue;
                        expected.clear();
                        map.clear();
                    }
                }
                same(expected, map);
            }
        }
        Iterator<?> entries = row().entrySet().iterator();
        assertThrows(IllegalStateException.class, entries::remove);
        for (int i = 0; i < 4; i++) entries.next();
        assertThrows(NoSuchElementException.class, entries::next);
    }

    @Test
    @DisplayName("rows as maps are serializable; a LinkedHashMap is one if that is the class")
    void kinds() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(row());
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertEquals(row(), in.readObject());
        }
        for (String cells : List.of("\"rows\":[[1]]", "\"vals\":[[1]]")) {
            LinkedHashMap<?, ?> map = new Jsonrow().rows(LinkedHashMap.class).read("{\"cols\":[\"a\"]," + cells + "}")
                .get(0);
            assertEquals(Map.of("a", 1), map);
        }
    }
}
