package io.github.jsonrow;

/**
 * What was read is not a document of jsonrow: it is not JSON, a member is missing, a row has more or fewer cells than
 * the header has names, or there is no column for what the class needs.
 */
public final class DocumentException extends JsonrowException {
    private static final long serialVersionUID = 1;

    /**
     * With what is missing or wrong.
     *
     * @param reason the end of the message
     */
    public DocumentException(String reason) {
        super("not a jsonrow document: " + reason);
    }

    /**
     * With the error that has shown it.
     *
     * @param reason the end of the message
     * @param cause the error behind it
     */
    public DocumentException(String reason, Throwable cause) {
        super("not a jsonrow document: " + reason, cause);
    }
}
