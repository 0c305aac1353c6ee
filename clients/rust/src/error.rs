//! What may be wrong with a document.

use std::cell::{Cell, RefCell};
use std::fmt;

/// What is wrong, and where.
///
/// [`Error::Row`] and [`Error::Source`] print what they hold, so their [`source`](std::error::Error::source) is
/// that of what they hold.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// It is not a jsonrow document: not JSON, a member is missing, or a row has more or fewer cells than there are
    /// columns.
    NotADocument {
        /// What is wrong
        reason: String,
        /// Where it was noticed
        place: Place,
    },
    /// The document or stream ended before its end was read: the query failed, or the connection was lost.
    EndedEarly {
        /// What is missing
        reason: String,
        /// How far the stream goes
        place: Place,
    },
    /// A row does not fit its type: what serde_json says of a cell, or of a field without a column.
    Row {
        /// What serde_json says
        source: serde_json::Error,
        /// Where it was noticed
        place: Place,
    },
    /// What the pieces of a stream come from has failed, for example the query.
    Source(Box<dyn std::error::Error + Send + Sync>),
}

/// Where in a document an error is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// From 0; none outside of the rows. In [`Error::EndedEarly`], the number of whole rows.
    pub row: Option<usize>,
    /// The column's name; within nested rows as in `actors[2].name`; none outside of a cell.
    pub column: Option<String>,
    /// How many bytes of the document or stream had been read.
    pub offset: usize,
}

/// The result of reading a document.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(row) = self.row {
            write!(f, ", row {row}")?;
        }
        if let Some(column) = &self.column {
            write!(f, ", column {column}")?;
        }
        write!(f, " at byte {}", self.offset)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::NotADocument { reason, place } => write!(f, "not a jsonrow document: {reason}{place}"),
            Error::EndedEarly { reason, place } => write!(f, "the document ended early: {reason}{place}"),
            Error::Row { source, place } => write!(f, "{}{place}", Words(source)),
            Error::Source(source) => source.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Row { source, .. } => source.source(),
            Error::Source(source) => source.source(),
            _ => None,
        }
    }
}

impl Error {
    /// Where the error is, if it is in the document.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Error::NotADocument { place, .. } | Error::EndedEarly { place, .. } | Error::Row { place, .. } => {
                Some(place)
            }
            Error::Source(_) => None,
        }
    }

    pub(crate) fn not_a_document(reason: impl Into<String>, offset: usize) -> Error {
        Error::NotADocument { reason: reason.into(), place: Place { offset, ..Place::default() } }
    }
}

/// What serde_json says, without the line and column, which count from elsewhere.
struct Words<'a>(&'a serde_json::Error);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = self.0.to_string();
        let position = format!(" at line {} column {}", self.0.line(), self.0.column());
        f.write_str(text.strip_suffix(&position).unwrap_or(&text))
    }
}

/// What is known about an error while it is on its way up, beside what serde_json knows.
#[derive(Default)]
pub(crate) struct Context {
    pub row: Cell<Option<usize>>,
    /// What is being read is a row, not what surrounds the rows.
    pub inside: Cell<bool>,
    /// From the innermost column to the outermost
    column: RefCell<String>,
    /// Set if this is not a document
    reason: RefCell<Option<String>>,
}

impl Context {
    /// Names the column, or the nested row, in which something failed.
    #[cold]
    pub fn within(&self, name: &str) {
        let mut column = self.column.borrow_mut();
        let dot = if column.is_empty() || column.starts_with('[') { "" } else { "." };
        let whole = format!("{name}{dot}{column}");
        *column = whole;
    }

    /// An error that says that this is not a document.
    #[cold]
    pub fn wrong<E: serde::de::Error>(&self, reason: String) -> E {
        let error = E::custom(&reason);
        *self.reason.borrow_mut() = Some(reason);
        error
    }

    /// The error that the caller gets, about a text that begins at this offset.
    #[cold]
    pub fn error(&self, source: serde_json::Error, text: &[u8], base: usize) -> Error {
        let column = self.column.take();
        let column = if column.is_empty() { None } else { Some(column) };
        let place = Place { row: self.row.get(), column, offset: base + offset_of(&source, text) };
        match self.reason.take() {
            Some(reason) => Error::NotADocument { reason, place },
            None if is_short(&source, text) => Error::EndedEarly { reason: "the end is missing".into(), place },
            None if source.is_syntax() || !self.inside.get() => {
                Error::NotADocument { reason: Words(&source).to_string(), place }
            }
            None => Error::Row { source, place },
        }
    }

    /// Forgets an error, before another try.
    pub fn clear(&self) {
        self.column.take();
        self.reason.take();
    }
}

/// Has the text come to its end? Numbers that are skipped are wrong for serde_json if they do.
pub(crate) fn is_short(error: &serde_json::Error, text: &[u8]) -> bool {
    let in_number = || matches!(text.last(), Some(b'-' | b'+' | b'.' | b'e' | b'E'));
    error.is_eof() || error.is_syntax() && in_number() && offset_of(error, text) == text.len()
}

/// Of the place that serde_json counts by lines
fn offset_of(error: &serde_json::Error, text: &[u8]) -> usize {
    let mut start = 0;
    for _ in 1..error.line() {
        match text[start..].iter().position(|&byte| byte == b'\n') {
            Some(end) => start += end + 1,
            None => return text.len(),
        }
    }
    (start + error.column()).min(text.len())
}
