package io.github.jsonrow;

/** The input is not a document, was cut off, or does not fit the class that it is to be read into. */
public class JsonrowException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * With a message only.
     *
     * @param message what is wrong
     */
    public JsonrowException(String message) {
        super(message);
    }

    /**
     * With the error of the JSON parser, or of the mapper.
     *
     * @param message what is wrong
     * @param cause the error behind it
     */
    public JsonrowException(String message, Throwable cause) {
        super(message, cause);
    }
}
