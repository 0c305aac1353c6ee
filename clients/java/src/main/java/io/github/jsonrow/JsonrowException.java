package io.github.jsonrow;

/**
 * What was read does not fit the class that it is to be read into; or, as {@link DocumentException}, it is not a
 * document; or, as {@link EndedEarlyException}, it ended before its end.
 */
public class JsonrowException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What is wrong, without the place */
    private final String reason;
    /** From 0, or -1 */
    private long row = -1;
    /** With those around it, or null */
    private String column;
    /** In characters or bytes, or -1 */
    private long offset = -1;

    /**
     * With a message only.
     *
     * @param message what is wrong
     */
    public JsonrowException(String message) {
        super(message);
        reason = message;
    }

    /**
     * With the error of the JSON parser, or of the mapper.
     *
     * @param message what is wrong
     * @param cause the error behind it
     */
    public JsonrowException(String message, Throwable cause) {
        super(message, cause);
        reason = message;
    }

    /**
     * The row in which the error is.
     *
     * @return its number, from 0; -1 if the error is in none; of an {@link EndedEarlyException}, the number of rows
     *     that were read
     */
    public long row() {
        return row;
    }

    /**
     * The column in which the error is.
     *
     * @return its name, within nested rows as in {@code actors[2].name}; null if the error is in none
     */
    public String column() {
        return column;
    }

    /**
     * Where the parser was.
     *
     * @return characters, or bytes if these were read, from the beginning; -1 if that is not known
     */
    public long offset() {
        return offset;
    }

    @Override
    public String getMessage() {
        StringBuilder text = new StringBuilder(reason);
        String separator = " (";
        if (row >= 0) {
            text.append(separator).append("row ").append(row);
            separator = ", ";
        }
        if (column != null) {
            text.append(separator).append("column ").append(column);
            separator = ", ";
        }
        if (offset >= 0) {
            text.append(separator).append("offset ").append(offset);
            separator = ", ";
        }
        return separator.equals(", ") ? text.append(')').toString() : text.toString();
    }

    /**
     * Adds the column around that which is already known: for what reads rows, from the inside out.
     *
     * @param name the column in which the error is, or in whose rows it is
     * @return the same
     */
    public JsonrowException in(String name) {
        column = column == null ? name : column.startsWith("[") ? name + column : name + "." + column;
        return this;
    }

    /**
     * Adds the number of a nested row around the column that is already known.
     *
     * @param index which of the nested rows the error is in
     * @return the same
     */
    public JsonrowException in(int index) {
        column = "[" + index + "]" + (column == null ? "" : "." + column);
        return this;
    }

    /**
     * Adds the place, if it is not known yet.
     *
     * @param row the row's number, from 0
     * @param offset characters or bytes from the beginning, or -1
     * @return the same
     */
    public JsonrowException at(long row, long offset) {
        if (this.row < 0) this.row = row;
        if (this.offset < 0) this.offset = offset;
        return this;
    }
}
