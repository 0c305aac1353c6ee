package bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Parse a file so many times into maps and lists; print the median of the milliseconds. */
public class Parse {
    public static void main(String[] args) throws Exception {
        byte[] text = Files.readAllBytes(Path.of(args[0]));
        long[] times = new long[Integer.parseInt(args[1])];
        ObjectMapper mapper = new ObjectMapper();
        for (int i = 0; i < times.length; i++) {
            long started = System.nanoTime();
            mapper.readValue(text, Object.class);
            times[i] = System.nanoTime() - started;
        }
        Arrays.sort(times);
        System.out.println(times[times.length / 2] / 1e6);
    }
}
