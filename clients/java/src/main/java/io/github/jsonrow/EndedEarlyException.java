package io.github.jsonrow;

/** The document or stream ended before its end was read: the query failed, or the connection was lost. */
public final class EndedEarlyException extends JsonrowException {
    private static final long serialVersionUID = 1;

    EndedEarlyException(String reason) {
        super("the jsonrow document ended early: " + reason);
    }

    EndedEarlyException(String reason, Throwable cause) {
        super("the jsonrow document ended early: " + reason, cause);
    }
}
