package io.github.jsonrow;

import java.io.IOException;
import java.io.Reader;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Iterator;

/** Pieces of text, put together. */
final class PieceReader extends Reader {
    private final Source source;
    private final AutoCloseable resource;
    private String piece = "";
    private int at;

    @FunctionalInterface
    private interface Source {
        /** The next piece, or null at the end. */
        String next() throws SQLException;
    }

    PieceReader(Iterator<String> pieces) {
        source = () -> pieces.hasNext() ? pieces.next() : null;
        resource = () -> { };
    }

    PieceReader(ResultSet pieces) {
        source = () -> pieces.next() ? pieces.getString(1) : null;
        resource = pieces;
    }

    @Override
    public int read(char[] into, int offset, int length) throws IOException {
        while (at == piece.length()) {
            try {
                piece = source.next();
            } catch (SQLException e) {
                throw new IOException(e);
            }
            at = 0;
            if (piece == null) {
                piece = "";
                return -1;
            }
        }
        int size = Math.min(length, piece.length() - at);
        piece.getChars(at, at + size, into, offset);
        at += size;
        return size;
    }

    @Override
    public void close() throws IOException {
        try {
            resource.close();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
