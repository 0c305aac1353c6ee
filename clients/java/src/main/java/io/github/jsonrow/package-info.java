/**
 * Reads and writes the documents of jsonrow, an extension of PostgreSQL, with Jackson 2. The classes for Jackson 3
 * have the same names, in the package {@code io.github.jsonrow.jackson3}; the exceptions are the same.
 */
package io.github.jsonrow;
