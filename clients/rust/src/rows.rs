//! Rows, by position, as the maps that serde expects: each cell with the name of its column.
//!
//! A plain cell is read by the deserializer of the text itself. Only what is nested has one of these.

use crate::error::Context;
use crate::header::{Column, Header, Kind};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A row below a header, or an array of them
pub(crate) struct Nested<'a, 'de> {
    pub header: &'a Header<'de>,
    pub array: bool,
    pub context: &'a Context,
}

impl Clone for Nested<'_, '_> {
    fn clone(&self) -> Self {
        *self
    }
}

impl Copy for Nested<'_, '_> {}

impl<'a, 'de> Nested<'a, 'de> {
    pub fn row(header: &'a Header<'de>, context: &'a Context) -> Self {
        Nested { header, array: false, context }
    }
}

/// Reads all rows of a document.
pub(crate) struct RowsSeed<'a, 'de, T> {
    pub row: Nested<'a, 'de>,
    pub of: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for RowsSeed<'_, 'de, T> {
    type Value = Vec<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for RowsSeed<'_, 'de, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array of rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
        let context = self.row.context;
        let mut rows = Vec::new();
        context.inside.set(true);
        context.row.set(Some(0));
        while let Some(row) = seq.next_element_seed(NestedSeed { nested: self.row, seed: PhantomData })? {
            rows.push(row);
            context.row.set(Some(rows.len()));
        }
        context.inside.set(false);
        context.row.set(None);
        Ok(rows)
    }
}

/// Reads what is nested, with what reads a map or a sequence of maps.
pub(crate) struct NestedSeed<'a, 'de, S> {
    pub nested: Nested<'a, 'de>,
    pub seed: S,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for NestedSeed<'_, 'de, S> {
    type Value = S::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        self.seed.deserialize(NestedDeserializer { inner, nested: self.nested })
    }
}

struct NestedDeserializer<'a, 'de, D> {
    inner: D,
    nested: Nested<'a, 'de>,
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for NestedDeserializer<'_, 'de, D> {
    type Error = D::Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(NestedVisitor { visitor, nested: self.nested })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_option(Wrapped { visitor, nested: self.nested })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_newtype_struct(name, Wrapped { visitor, nested: self.nested })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(NestedVisitor { visitor: EnumVisitor(visitor), nested: self.nested })
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        if !self.nested.array && self.nested.header.is(fields) {
            self.inner.deserialize_any(InOrder { visitor, nested: self.nested })
        } else {
            self.deserialize_any(visitor)
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_ignored_any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map identifier
    }
}

/// Options and newtypes: what is in them is nested in the same way.
struct Wrapped<'a, 'de, V> {
    visitor: V,
    nested: Nested<'a, 'de>,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Wrapped<'_, 'de, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_some(NestedDeserializer { inner, nested: self.nested })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_newtype_struct(NestedDeserializer { inner, nested: self.nested })
    }
}

/// An enum is a map with one key.
struct EnumVisitor<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for EnumVisitor<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(MapAccessDeserializer::new(map))
    }
}

/// Gives arrays to a visitor as what they mean.
struct NestedVisitor<'a, 'de, V> {
    visitor: V,
    nested: Nested<'a, 'de>,
}

impl<'de, V: Visitor<'de>> NestedVisitor<'_, 'de, V> {
    fn wrong<E: Error>(self) -> Result<V::Value, E> {
        let expected = if self.nested.array { "an array of rows" } else { "a row" };
        Err(self.nested.context.wrong(format!("a value instead of {expected}")))
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for NestedVisitor<'_, 'de, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<V::Value, A::Error> {
        if self.nested.array {
            self.visitor.visit_seq(RowsAccess { seq, nested: self.nested, count: 0 })
        } else {
            self.visitor.visit_map(RowAccess { seq, row: self.nested, next: 0 })
        }
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<V::Value, E> {
        self.wrong()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<V::Value, E> {
        self.wrong()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<V::Value, E> {
        self.wrong()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<V::Value, E> {
        self.wrong()
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<V::Value, E> {
        self.wrong()
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<V::Value, A::Error> {
        self.wrong()
    }
}

/// An array of rows
struct RowsAccess<'a, 'de, A> {
    seq: A,
    nested: Nested<'a, 'de>,
    count: usize,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for RowsAccess<'_, 'de, A> {
    type Error = A::Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let nested = Nested { array: false, ..self.nested };
        let row = self.seq.next_element_seed(NestedSeed { nested, seed });
        if row.is_err() {
            self.nested.context.within(&format!("[{}]", self.count));
        }
        self.count += 1;
        row
    }

    fn size_hint(&self) -> Option<usize> {
        self.seq.size_hint()
    }
}

/// A row: as a map from the names of its columns or, if these are the fields in their order, as a sequence
struct RowAccess<'a, 'de, A> {
    seq: A,
    row: Nested<'a, 'de>,
    next: usize,
}

impl<'de, A: SeqAccess<'de>> RowAccess<'_, 'de, A> {
    /// Reads the next cell, of this column.
    #[inline]
    fn cell<S: DeserializeSeed<'de>>(&mut self, column: &Column<'de>, seed: S) -> Result<S::Value, A::Error> {
        self.next += 1;
        match self.seq.next_element_seed(CellSeed { column, context: self.row.context, seed }) {
            Ok(Some(value)) => Ok(value),
            Ok(None) => {
                let reason = format!("a row has {} of {} cells", self.next - 1, self.row.header.cols.len());
                Err(self.row.context.wrong(reason))
            }
            Err(error) => {
                self.row.context.within(&column.name);
                Err(error)
            }
        }
    }

    /// After the last column, there is no cell.
    #[inline]
    fn end(&mut self) -> Result<(), A::Error> {
        if self.seq.next_element::<IgnoredAny>()?.is_none() {
            return Ok(());
        }
        let reason = format!("a row has more cells than there are columns, {}", self.row.header.cols.len());
        Err(self.row.context.wrong(reason))
    }
}

impl<'de, A: SeqAccess<'de>> MapAccess<'de> for RowAccess<'_, 'de, A> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        match self.row.header.cols.get(self.next) {
            Some(column) => seed.deserialize(NameDeserializer(&column.name, PhantomData)).map(Some),
            None => self.end().map(|()| None),
        }
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.cell(&self.row.header.cols[self.next], seed)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.row.header.cols.len() - self.next)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for &mut RowAccess<'_, 'de, A> {
    type Error = A::Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        match self.row.header.cols.get(self.next) {
            Some(column) => self.cell(column, seed).map(Some),
            None => Ok(None),
        }
    }
}

/// A struct whose fields are the columns, in their order
struct InOrder<'a, 'de, V> {
    visitor: V,
    nested: Nested<'a, 'de>,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for InOrder<'_, 'de, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<V::Value, A::Error> {
        let mut row = RowAccess { seq, row: self.nested, next: 0 };
        let value = self.visitor.visit_seq(&mut row)?;
        row.end()?;
        Ok(value)
    }
}

/// Reads a cell.
pub(crate) struct CellSeed<'a, 'de, S> {
    pub column: &'a Column<'de>,
    pub context: &'a Context,
    pub seed: S,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for CellSeed<'_, 'de, S> {
    type Value = S::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let (header, array) = match &self.column.kind {
            Kind::Plain => return self.seed.deserialize(deserializer),
            Kind::Row(header) => (header, false),
            Kind::Rows(header) => (header, true),
        };
        let nested = Nested { header, array, context: self.context };
        NestedSeed { nested, seed: self.seed }.deserialize(deserializer)
    }
}

/// The name of a column
struct NameDeserializer<'a, 'de, E>(&'a Cow<'de, str>, PhantomData<E>);

impl<'de, E: Error> Deserializer<'de> for NameDeserializer<'_, 'de, E> {
    type Error = E;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            Cow::Borrowed(name) => visitor.visit_borrowed_str(name),
            Cow::Owned(name) => visitor.visit_str(name),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value, E> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        serde::de::IntoDeserializer::into_deserializer(&**self.0).deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        seq tuple tuple_struct map struct identifier ignored_any
    }
}
