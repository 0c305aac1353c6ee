import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.jsonrow.RowReader;

/** What clients/java makes of documents */
public class Client {
    static Decode.Maker maps(ObjectMapper mapper) {
        return of(new io.github.jsonrow.Jsonrow(mapper).maps());
    }

    static Decode.Maker records(ObjectMapper mapper, String shape) {
        return of(new io.github.jsonrow.Jsonrow(mapper).rows(Records.of(shape)));
    }

    private static Decode.Maker of(RowReader<?> reader) {
        return reader::read;
    }
}
