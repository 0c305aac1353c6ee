/**
 * For Jackson 3: the classes of {@link io.github.jsonrow}, whose exceptions are the same for both, with another
 * Jackson behind them.
 */
package io.github.jsonrow.jackson3;
