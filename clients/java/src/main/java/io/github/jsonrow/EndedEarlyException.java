package io.github.jsonrow;

/** The document or stream ended before its end was read: the query failed, or the connection was lost. */
public final class EndedEarlyException extends JsonrowException {
    private static final long serialVersionUID = 1;

    /**
     * With what is missing or wrong.
     *
     * @param reason the end of the message
     */
    public EndedEarlyException(String reason) {
        super("the jsonrow document ended early: " + reason);
    }

    /**
     * With the error that has shown it.
     *
     * @param reason the end of the message
     * @param cause the error behind it
     */
    public EndedEarlyException(String reason, Throwable cause) {
        super("the jsonrow document ended early: " + reason, cause);
    }
}
