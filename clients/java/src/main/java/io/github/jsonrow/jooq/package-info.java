/** For jOOQ: converters of documents, and a listener that makes MULTISET fast. */
package io.github.jsonrow.jooq;
