import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/** What Jackson makes records of, and their types */
public class Records {
    record Row(String user, int sessionId, String command, String statement, int transactionId, int time) {}
    record Award(int year, String prize) {}
    record Actor(String first_name, String last_name, List<Award> awards) {}
    record Film(int film_id, String title, int year, double rating, List<Actor> actors) {}

    static Class<?> of(String shape) {
        return shape.equals("flat") ? Row.class : Film.class;
    }

    static List<?> ofObjects(ObjectMapper mapper, String shape, byte[] text) throws java.io.IOException {
        return mapper.readValue(text, mapper.getTypeFactory().constructCollectionType(List.class, of(shape)));
    }
}
