/** Reads and writes the documents of jsonrow, an extension of PostgreSQL, with Jackson. */
package io.github.jsonrow;
