//! Streams, piece by piece.

use crate::error::{is_short, Context, Error, Place, Result};
use crate::header::{Header, Name};
use crate::rows::{Nested, NestedSeed};
use serde::de::{DeserializeOwned, DeserializeSeed, IgnoredAny};
use std::fmt;
use std::io::Read;
use std::marker::PhantomData;

/// Reads the rows of a stream: what `jsonrow_stream` or `jsonrow_stream_lines` sends, or `COPY` with the format
/// jsonrow writes. It finds out which of the two forms it is, and holds one piece in memory.
///
/// [`from_reader`] does this for text, and `stream` for drivers; this is for any other source.
///
/// ```
/// let mut decoder = jsonrow::Decoder::new();
/// decoder.feed(b"{\"cols\":[\"id\"]}\n[1]\n[2");
/// decoder.feed(b"]\n{\"rows\":2}\n");
/// decoder.end();
/// #[derive(serde::Deserialize)]
/// struct Row {
///     id: i32,
/// }
/// while let Some(Row { id }) = decoder.next()? {
///     println!("{id}");
/// }
/// # Ok::<(), jsonrow::Error>(())
/// ```
pub struct Decoder<T> {
    buffer: Vec<u8>,
    /// How much of the buffer has been read
    pos: usize,
    /// Where in the stream the buffer begins
    base: usize,
    /// So much must be there before a long row is tried again.
    wanted: usize,
    header: Option<Header<'static>>,
    lines: bool,
    count: usize,
    /// Nothing follows.
    complete: bool,
    ended: bool,
    context: Context,
    row: PhantomData<fn() -> T>,
}

impl<T> fmt::Debug for Decoder<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Decoder")
            .field("rows", &self.count)
            .field("offset", &(self.base + self.pos))
            .finish_non_exhaustive()
    }
}

impl<T> Default for Decoder<T> {
    fn default() -> Self {
        Decoder {
            buffer: Vec::new(),
            pos: 0,
            base: 0,
            wanted: 0,
            header: None,
            lines: false,
            count: 0,
            complete: false,
            ended: false,
            context: Context::default(),
            row: PhantomData,
        }
    }
}

/// The text came to its end.
enum Stop {
    Short,
    Failed(Error),
}

type Step<R> = std::result::Result<R, Stop>;

/// A row longer than this is tried again only when there is a quarter more of it, since it is read from its beginning.
const PIECE: usize = 64 << 10;

impl<T: DeserializeOwned> Decoder<T> {
    /// Before the first piece
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next piece, cut anywhere.
    pub fn feed(&mut self, piece: &[u8]) {
        self.buffer.drain(..self.pos);
        self.base += self.pos;
        self.pos = 0;
        self.buffer.extend_from_slice(piece);
    }

    /// There are no more pieces.
    pub fn end(&mut self) {
        self.ended = true;
        self.wanted = 0;
    }

    /// The next row; none if another piece is needed or, after [`Decoder::end`], if all rows have been read.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<T>> {
        if self.buffer.len() - self.pos < self.wanted {
            return Ok(None);
        }
        match self.step() {
            Ok(row) => Ok(row),
            Err(Stop::Failed(error)) => Err(error),
            Err(Stop::Short) if self.ended => Err(self.ended_early("the end is missing".into())),
            Err(Stop::Short) => {
                let had = self.buffer.len() - self.pos;
                self.wanted = if had > PIECE { had + had / 4 } else { had + 1 };
                Ok(None)
            }
        }
    }

    fn ended_early(&self, reason: String) -> Error {
        let row = self.header.as_ref().map(|_| self.count);
        Error::EndedEarly { reason, place: Place { row, column: None, offset: self.base + self.buffer.len() } }
    }

    fn step(&mut self) -> Step<Option<T>> {
        self.wanted = 0;
        if self.header.is_none() {
            self.read_header()?;
        }
        if !self.complete {
            if let Some(row) = self.read_row()? {
                return Ok(Some(row));
            }
            self.complete = true;
        }
        let mut rest = self.cursor();
        match rest.peek() {
            Ok(_) => Err(rest.wrong("something follows the end")),
            Err(_) => Ok(None),
        }
    }

    fn cursor(&self) -> Cursor<'_> {
        Cursor { text: &self.buffer, pos: self.pos, base: self.base, context: &self.context }
    }

    /// A line of its own, or what is before the first row of a document
    fn read_header(&mut self) -> Step<()> {
        let mut cursor = self.cursor();
        cursor.expect(b'{', "a document")?;
        let mut header = None;
        let lines = loop {
            match &*cursor.key()? {
                "cols" => header = Some(cursor.read(PhantomData::<Header>)?),
                "types" => drop(cursor.read(PhantomData::<IgnoredAny>)?),
                "rows" if header.is_some() => {
                    cursor.expect(b'[', "an array of rows")?;
                    break false;
                }
                other => return Err(cursor.wrong(format!("{other:?} cannot be streamed before the rows"))),
            }
            match cursor.byte()? {
                b',' => {}
                b'}' => break true,
                _ => return Err(cursor.wrong("neither , nor } after a member")),
            }
        };
        let Some(header) = header else { return Err(cursor.wrong("there is no header")) };
        let pos = cursor.pos;
        self.header = Some(header.into_owned());
        self.lines = lines;
        self.pos = pos;
        Ok(())
    }

    /// A row, or what is behind the last one
    fn read_row(&mut self) -> Step<Option<T>> {
        let Some(header) = &self.header else { return Ok(None) };
        let mut cursor = self.cursor();
        let byte = cursor.peek()?;
        let more = match byte {
            b'{' if self.lines => {
                self.trailer()?;
                return Ok(None);
            }
            _ if self.lines => true,
            b']' => false,
            b',' if self.count > 0 => {
                cursor.pos += 1;
                true
            }
            _ if self.count > 0 => return Err(cursor.wrong("neither , nor ] after a row")),
            _ => true,
        };
        if !more {
            let pos = cursor.after_rows()?;
            self.pos = pos;
            return Ok(None);
        }
        self.context.row.set(Some(self.count));
        self.context.inside.set(true);
        let row = cursor.read(NestedSeed { nested: Nested::row(header, &self.context), seed: PhantomData });
        self.context.inside.set(false);
        self.context.row.set(None);
        let row = row?;
        let pos = cursor.pos;
        self.pos = pos;
        self.count += 1;
        Ok(Some(row))
    }

    /// The last line, {"rows": n}
    fn trailer(&mut self) -> Step<()> {
        let mut cursor = self.cursor();
        cursor.expect(b'{', "{")?;
        if cursor.key()? != "rows" {
            return Err(cursor.wrong("neither a row nor the number of rows"));
        }
        let rows: usize = cursor.read(PhantomData)?;
        cursor.expect(b'}', "}")?;
        let pos = cursor.pos;
        self.pos = pos;
        if rows == self.count {
            return Ok(());
        }
        Err(Stop::Failed(self.ended_early(format!("{} of {rows} rows", self.count))))
    }
}

/// A place in the buffer
struct Cursor<'a> {
    text: &'a [u8],
    pos: usize,
    base: usize,
    context: &'a Context,
}

impl<'a> Cursor<'a> {
    fn wrong(&self, reason: impl Into<String>) -> Stop {
        Stop::Failed(Error::not_a_document(reason, self.base + self.pos))
    }

    /// The byte after white space
    fn peek(&mut self) -> Step<u8> {
        while let Some(&byte) = self.text.get(self.pos) {
            if !matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
                return Ok(byte);
            }
            self.pos += 1;
        }
        Err(Stop::Short)
    }

    fn byte(&mut self) -> Step<u8> {
        let byte = self.peek()?;
        self.pos += 1;
        Ok(byte)
    }

    fn expect(&mut self, byte: u8, what: &str) -> Step<()> {
        if self.peek()? != byte {
            return Err(self.wrong(format!("no {what}")));
        }
        self.pos += 1;
        Ok(())
    }

    fn read<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Step<S::Value> {
        let rest = &self.text[self.pos..];
        let mut deserializer = serde_json::Deserializer::from_slice(rest);
        match seed.deserialize(&mut deserializer) {
            Ok(value) => {
                self.pos += deserializer.into_iter::<IgnoredAny>().byte_offset();
                Ok(value)
            }
            Err(error) if is_short(&error, rest) => {
                self.context.clear();
                Err(Stop::Short)
            }
            Err(error) => Err(Stop::Failed(self.context.error(error, rest, self.base + self.pos))),
        }
    }

    /// A member's key and its colon
    fn key(&mut self) -> Step<std::borrow::Cow<'a, str>> {
        let Name(name) = self.read(PhantomData)?;
        self.expect(b':', "colon")?;
        Ok(name)
    }

    /// What follows the rows of a document: where it ends
    fn after_rows(&mut self) -> Step<usize> {
        self.pos += 1;
        loop {
            match self.byte()? {
                b'}' => return Ok(self.pos),
                b',' => {}
                _ => return Err(self.wrong("neither , nor } after the rows")),
            }
            match &*self.key()? {
                "types" => drop(self.read(PhantomData::<IgnoredAny>)?),
                other => return Err(self.wrong(format!("it has a member {other:?} after the rows"))),
            }
        }
    }
}

/// Reads the rows of a stream one by one, for example from a file that `COPY` wrote.
///
/// ```
/// # #[derive(serde::Deserialize)] struct Film { title: String }
/// let file = "{\"cols\":[\"title\"]}\n[\"Alien\"]\n[\"Brazil\"]\n{\"rows\":2}\n".as_bytes();
/// for film in jsonrow::from_reader(file) {
///     let Film { title } = film?;
///     println!("{title}");
/// }
/// # Ok::<(), jsonrow::Error>(())
/// ```
pub fn from_reader<R: Read, T: DeserializeOwned>(reader: R) -> Reader<R, T> {
    Reader { reader, decoder: Decoder::new(), piece: vec![0; PIECE], done: false }
}

/// What [`from_reader`] returns. An error is the last item.
pub struct Reader<R, T> {
    reader: R,
    decoder: Decoder<T>,
    piece: Vec<u8>,
    done: bool,
}

impl<R, T> fmt::Debug for Reader<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Reader").field("decoder", &self.decoder).field("done", &self.done).finish_non_exhaustive()
    }
}

impl<R: Read, T: DeserializeOwned> Iterator for Reader<R, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        while !self.done {
            match self.decoder.next() {
                Ok(Some(row)) => return Some(Ok(row)),
                Ok(None) if self.decoder.ended => self.done = true,
                Ok(None) => {
                    if let Err(error) = self.more() {
                        self.done = true;
                        return Some(Err(Error::Source(error.into())));
                    }
                }
                Err(error) => {
                    self.done = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

impl<R: Read, T: DeserializeOwned> Reader<R, T> {
    fn more(&mut self) -> std::io::Result<()> {
        match self.reader.read(&mut self.piece) {
            Ok(0) => self.decoder.end(),
            Ok(n) => self.decoder.feed(&self.piece[..n]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
