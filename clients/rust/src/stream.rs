//! Streams of pieces, as drivers give them.

use crate::decoder::Decoder;
use crate::error::{Error, Result};
use futures_core::Stream;
use serde::de::DeserializeOwned;
use std::fmt;
use std::pin::Pin;
use std::task::{ready, Context, Poll};

/// A piece of a stream: text, or a row of a driver with one column of text.
pub trait Piece {
    /// Its text.
    fn text(&self) -> std::result::Result<&[u8], Box<dyn std::error::Error + Send + Sync>>;
}

macro_rules! text_pieces {
    ($($type:ty)*) => {$(
        impl Piece for $type {
            fn text(&self) -> std::result::Result<&[u8], Box<dyn std::error::Error + Send + Sync>> {
                Ok(self.as_ref())
            }
        }
    )*};
}

text_pieces! { String &str Vec<u8> &[u8] }

/// Reads the rows of a stream of pieces one by one: of what a driver gives for a query of `jsonrow_stream` or
/// `jsonrow_stream_lines`. An error is the last item.
pub fn stream<T, S>(pieces: S) -> Streamed<S, T> {
    Streamed { pieces: Some(Box::pin(pieces)), decoder: Decoder::default(), done: false }
}

/// What [`stream`] returns.
pub struct Streamed<S, T> {
    /// None after its end
    pieces: Option<Pin<Box<S>>>,
    decoder: Decoder<T>,
    done: bool,
}

impl<S, T> Unpin for Streamed<S, T> {}

impl<S, T> fmt::Debug for Streamed<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Streamed").field("decoder", &self.decoder).field("done", &self.done).finish_non_exhaustive()
    }
}

impl<S, T, P, E> Stream for Streamed<S, T>
where
    S: Stream<Item = std::result::Result<P, E>>,
    T: DeserializeOwned,
    P: Piece,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Item = Result<T>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<Result<T>>> {
        let this = &mut *self;
        while !this.done {
            let failed = match this.decoder.next() {
                Ok(Some(row)) => return Poll::Ready(Some(Ok(row))),
                Err(error) => error,
                Ok(None) => match &mut this.pieces {
                    None => break,
                    Some(pieces) => match ready!(pieces.as_mut().poll_next(context)) {
                        Some(Ok(piece)) => match piece.text() {
                            Ok(text) => {
                                this.decoder.feed(text);
                                continue;
                            }
                            Err(error) => Error::Source(error),
                        },
                        Some(Err(error)) => Error::Source(error.into()),
                        None => {
                            this.decoder.end();
                            this.pieces = None;
                            continue;
                        }
                    },
                },
            };
            this.done = true;
            return Poll::Ready(Some(Err(failed)));
        }
        this.done = true;
        Poll::Ready(None)
    }
}
