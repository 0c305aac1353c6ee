/** For jOOQ with Jackson 3: converters of documents. The listener of {@link io.github.jsonrow.jooq} needs none. */
package io.github.jsonrow.jackson3.jooq;
