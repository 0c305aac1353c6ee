//! Whole documents.

use crate::error::{Context, Error, Result};
use crate::header::{Header, Name};
use crate::rows::{Nested, NestedSeed, RowsSeed};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

/// Reads the rows of a document, by row or by column.
///
/// A row is read as serde_json reads an object with a member for each column, whatever the columns' order.
///
/// ```
/// #[derive(Debug, PartialEq, serde::Deserialize)]
/// struct Film {
///     title: String,
///     actors: Vec<Actor>,
/// }
///
/// #[derive(Debug, PartialEq, serde::Deserialize)]
/// struct Actor {
///     name: String,
/// }
///
/// let doc = r#"{"cols": [{"actors": [["name"]]}, "title"],
///     "rows": [[[["Weaver"], ["Hurt"]], "Alien"], [[], "Brazil"]]}"#;
/// let films: Vec<Film> = jsonrow::from_str(doc)?;
/// assert_eq!(films[0].actors[1].name, "Hurt");
/// assert_eq!(films[1], Film { title: "Brazil".into(), actors: vec![] });
/// # Ok::<(), jsonrow::Error>(())
/// ```
pub fn from_str<'de, T: Deserialize<'de>>(doc: &'de str) -> Result<Vec<T>> {
    let context = Context::default();
    let mut deserializer = serde_json::Deserializer::from_str(doc);
    let mut other_order = false;
    let visitor = InOrder { context: &context, other_order: &mut other_order, row: PhantomData };
    match deserializer.deserialize_map(visitor).and_then(|rows| deserializer.end().map(|()| rows)) {
        Ok(rows) => Ok(rows),
        Err(_) if other_order => {
            context.clear();
            in_any_order(doc, &context)
        }
        Err(error) => Err(context.error(error, doc.as_bytes(), 0)),
    }
}

/// The same as [`from_str`], from bytes.
pub fn from_slice<'de, T: Deserialize<'de>>(doc: &'de [u8]) -> Result<Vec<T>> {
    match std::str::from_utf8(doc) {
        Ok(doc) => from_str(doc),
        Err(error) => Err(Error::not_a_document("it is not UTF-8", error.valid_up_to())),
    }
}

/// A document as it usually is: the header, then the rows
struct InOrder<'a, T> {
    context: &'a Context,
    /// Set if it is otherwise
    other_order: &'a mut bool,
    row: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for InOrder<'_, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a document")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Vec<T>, A::Error> {
        let mut header: Option<Header> = None;
        let mut rows = None;
        while let Some(Name(name)) = map.next_key()? {
            match (&*name, &header) {
                ("cols", None) => header = Some(map.next_value()?),
                ("types", _) => {
                    map.next_value::<IgnoredAny>()?;
                }
                ("rows", Some(header)) if rows.is_none() => {
                    let row = Nested::row(header, self.context);
                    rows = Some(map.next_value_seed(RowsSeed { row, of: PhantomData })?);
                }
                _ => {
                    *self.other_order = true;
                    return Err(A::Error::custom("in another order"));
                }
            }
        }
        match (header, rows) {
            (Some(_), Some(rows)) => Ok(rows),
            (None, _) => Err(self.context.wrong("it has no cols".into())),
            _ => Err(self.context.wrong("it has neither rows nor vals".into())),
        }
    }
}

/// The members of a document. If one is repeated, the last counts.
#[derive(Default)]
struct Members<'de> {
    cols: Option<&'de RawValue>,
    rows: Option<&'de RawValue>,
    vals: Option<&'de RawValue>,
}

struct MembersVisitor<'a>(&'a Context);

impl<'de> Visitor<'de> for MembersVisitor<'_> {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a document")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Members<'de>, A::Error> {
        let mut members = Members::default();
        while let Some(Name(name)) = map.next_key()? {
            match &*name {
                "cols" => members.cols = Some(map.next_value()?),
                "rows" => members.rows = Some(map.next_value()?),
                "vals" => members.vals = Some(map.next_value()?),
                "types" => {
                    map.next_value::<IgnoredAny>()?;
                }
                other => return Err(self.0.wrong(format!("it has a member {other:?}"))),
            }
        }
        Ok(members)
    }
}

fn in_any_order<'de, T: Deserialize<'de>>(doc: &'de str, context: &Context) -> Result<Vec<T>> {
    let part = Part { doc, text: doc, context };
    let members = part.read(|deserializer| deserializer.deserialize_map(MembersVisitor(context)))?;
    let end = |reason: &str| Err(Error::not_a_document(reason, doc.len()));
    let Some(cols) = members.cols else { return end("it has no cols") };
    let header = part.of(cols).read(|deserializer| Header::deserialize(deserializer))?;
    match (members.rows, members.vals) {
        (Some(rows), None) => part.of(rows).read(|deserializer| {
            RowsSeed { row: Nested::row(&header, context), of: PhantomData }.deserialize(deserializer)
        }),
        (None, Some(vals)) => by_column(&header, part.of(vals)),
        (None, None) => end("it has neither rows nor vals"),
        (Some(_), Some(_)) => end("it has both rows and vals"),
    }
}

/// A part of a document, which is read by itself
#[derive(Clone, Copy)]
struct Part<'a, 'de> {
    doc: &'de str,
    text: &'de str,
    context: &'a Context,
}

type Json<'de> = serde_json::Deserializer<serde_json::de::StrRead<'de>>;

impl<'de> Part<'_, 'de> {
    fn of(self, part: &'de RawValue) -> Self {
        Part { text: part.get(), ..self }
    }

    /// Where this is in the document
    fn offset(&self) -> usize {
        self.text.as_ptr() as usize - self.doc.as_ptr() as usize
    }

    fn read<R>(&self, read: impl FnOnce(&mut Json<'de>) -> serde_json::Result<R>) -> Result<R> {
        let mut deserializer = Json::from_str(self.text);
        read(&mut deserializer)
            .and_then(|value| deserializer.end().map(|()| value))
            .map_err(|error| self.context.error(error, self.text.as_bytes(), self.offset()))
    }
}

/// Cells are found first, then read row by row.
fn by_column<'de, T: Deserialize<'de>>(header: &Header<'de>, vals: Part<'_, 'de>) -> Result<Vec<T>> {
    let vectors: Vec<Vec<&RawValue>> = vals.read(|deserializer| Vec::deserialize(deserializer))?;
    let wrong = |reason: String| Err(Error::not_a_document(reason, vals.offset() + vals.text.len()));
    if vectors.len() != header.cols.len() {
        return wrong(format!("it has {} vectors and {} columns", vectors.len(), header.cols.len()));
    }
    let count = vectors.first().map_or(0, Vec::len);
    if vectors.iter().any(|vector| vector.len() != count) {
        return wrong("vectors have different lengths".into());
    }
    let mut rows = Vec::with_capacity(count);
    vals.context.inside.set(true);
    for i in 0..count {
        vals.context.row.set(Some(i));
        let at = Cell::new(None);
        let cells = CellsDeserializer(Cells { vectors: &vectors, row: i, next: 0, at: &at });
        let seed = NestedSeed { nested: Nested::row(header, vals.context), seed: PhantomData };
        rows.push(seed.deserialize(cells).map_err(|error| {
            let part = at.get().map_or(vals, |cell| vals.of(cell));
            vals.context.error(error, part.text.as_bytes(), part.offset())
        })?);
    }
    Ok(rows)
}

/// The cells of one row, from all vectors
struct Cells<'a, 'de> {
    vectors: &'a [Vec<&'de RawValue>],
    row: usize,
    next: usize,
    /// The one that was read last
    at: &'a Cell<Option<&'de RawValue>>,
}

impl<'de> SeqAccess<'de> for Cells<'_, 'de> {
    type Error = serde_json::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> serde_json::Result<Option<S::Value>> {
        let Some(vector) = self.vectors.get(self.next) else { return Ok(None) };
        self.next += 1;
        let cell = vector[self.row];
        self.at.set(Some(cell));
        seed.deserialize(&mut Json::from_str(cell.get())).map(Some)
    }
}

/// They are an array, never null.
struct CellsDeserializer<'a, 'de>(Cells<'a, 'de>);

impl<'de> Deserializer<'de> for CellsDeserializer<'_, 'de> {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> serde_json::Result<V::Value> {
        visitor.visit_seq(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> serde_json::Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> serde_json::Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
