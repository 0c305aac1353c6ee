import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.*;
import java.util.*;

/**
 * HOW SHAPE FILE TIMES [CHECK]: JSON text in bytes made into values, so many times; prints the median of the milliseconds.
 * CHECK is a file of the objects that must come out.  Jsonrow is the decoder of doc/format.md.
 */
public class Decode {
    static final ObjectMapper mapper = new ObjectMapper();

    interface Maker {
        Object make(byte[] text) throws Exception;
    }

    @SuppressWarnings("unchecked")
    static Maker maker(String how, String shape) throws Exception {
        switch (how) {
            case "parse": return text -> mapper.readValue(text, Object.class);
            case "expand": return text -> Jsonrow.expand((Map<String, Object>) mapper.readValue(text, Object.class));
            case "records of objects": return text -> Records.ofObjects(mapper, shape, text);
            case "client": return Client.maps(mapper);
            case "client's records": return Client.records(mapper, shape);
            default: throw new IllegalArgumentException(how);
        }
    }

    public static void main(String[] args) throws Exception {
        Maker maker = maker(args[0], args[1]);
        byte[] text = Files.readAllBytes(Path.of(args[2]));
        long[] times = new long[Integer.parseInt(args[3])];
        if (args.length > 4) {
            byte[] objects = Files.readAllBytes(Path.of(args[4]));
            Object expected = args[0].contains("records") ? Records.ofObjects(mapper, args[1], objects) : mapper.readValue(objects, Object.class);
            if (!expected.equals(maker.make(text)))
                throw new AssertionError(args[0] + ": these are not the objects");
        }
        for (int i = 0; i < times.length; i++) {
            long started = System.nanoTime();
            maker.make(text);
            times[i] = System.nanoTime() - started;
        }
        Arrays.sort(times);
        System.out.println(times[times.length / 2] / 1e6);
    }
}
