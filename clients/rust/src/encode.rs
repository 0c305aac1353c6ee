//! Rows into documents.

use serde::ser::{self, Error as _, Serialize, Serializer};
use serde_json::{Error, Result, Value};
use std::borrow::Cow;

/// Writes a document by row, for functions such as `jsonrow_populate_recordset`.
///
/// A row is a struct, a map whose keys are strings, or null (an `Option`). The columns are the fields, under the names
/// that serde gives them, or the keys of all rows; one that a row lacks or skips is null. A struct in a struct becomes
/// a composite, a sequence of structs a nested document; all else is what serde_json makes of it.
///
/// ```
/// #[derive(serde::Serialize)]
/// struct Film {
///     title: &'static str,
///     actors: Vec<Actor>,
/// }
///
/// #[derive(serde::Serialize)]
/// struct Actor {
///     name: &'static str,
/// }
///
/// let films = [Film { title: "Alien", actors: vec![Actor { name: "Weaver" }] }];
/// let doc = r#"{"cols":["title",{"actors":[["name"]]}],"rows":[["Alien",[["Weaver"]]]]}"#;
/// assert_eq!(jsonrow::to_string(&films)?, doc);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn to_string<T: Serialize>(rows: &[T]) -> Result<String> {
    let rows = rows.iter().map(|row| row.serialize(ToNode)).collect::<Result<Vec<Node>>>()?;
    let mut header = Vec::new();
    for row in &rows {
        match row {
            Node::Row(cells) | Node::Map(cells) => merge(&mut header, cells),
            Node::Null => {}
            _ => return Err(Error::custom("a row is neither a struct nor a map")),
        }
    }
    let mut doc = String::from("{\"cols\":");
    write_header(&mut doc, &header);
    doc.push_str(",\"rows\":");
    write_rows(&mut doc, &rows, &header);
    doc.push('}');
    Ok(doc)
}

/// The same as [`to_string`], as bytes.
pub fn to_vec<T: Serialize>(rows: &[T]) -> Result<Vec<u8>> {
    to_string(rows).map(String::into_bytes)
}

type Name = Cow<'static, str>;

/// A value. What is not nested is text already.
enum Node {
    Null,
    Text(String),
    List(Vec<Node>),
    /// A struct
    Row(Vec<(Name, Node)>),
    Map(Vec<(Name, Node)>),
}

/// What is known of a column
struct Column {
    name: Name,
    kind: Kind,
}

enum Kind {
    /// Only nulls so far
    Unknown,
    /// Only nulls and empty lists so far
    Lists,
    Plain,
    Row(Vec<Column>),
    Rows(Vec<Column>),
}

/// Adds what a row tells about the columns.
fn merge(header: &mut Vec<Column>, cells: &[(Name, Node)]) {
    for (i, (name, node)) in cells.iter().enumerate() {
        let found = match header.get(i) {
            Some(column) if column.name == *name => Some(i),
            _ => header.iter().position(|column| column.name == *name),
        };
        let at = found.unwrap_or_else(|| {
            header.push(Column { name: name.clone(), kind: Kind::Unknown });
            header.len() - 1
        });
        learn(&mut header[at].kind, node);
    }
}

fn learn(kind: &mut Kind, node: &Node) {
    match node {
        Node::Null => {}
        Node::Row(cells) => match kind {
            Kind::Unknown => {
                let mut header = Vec::new();
                merge(&mut header, cells);
                *kind = Kind::Row(header);
            }
            Kind::Row(header) if fits(header, cells) => merge(header, cells),
            _ => *kind = Kind::Plain,
        },
        Node::List(list) => {
            match kind {
                Kind::Unknown => *kind = Kind::Lists,
                Kind::Row(_) => *kind = Kind::Plain,
                _ => {}
            }
            list.iter().for_each(|row| learn_element(kind, row));
        }
        _ => *kind = Kind::Plain,
    }
}

fn learn_element(kind: &mut Kind, row: &Node) {
    match (&mut *kind, row) {
        (Kind::Lists, Node::Row(cells)) => {
            let mut header = Vec::new();
            merge(&mut header, cells);
            *kind = Kind::Rows(header);
        }
        (Kind::Rows(header), Node::Row(cells)) if fits(header, cells) => merge(header, cells),
        (Kind::Rows(_) | Kind::Lists, Node::Null) => {}
        _ => *kind = Kind::Plain,
    }
}

/// Are these the same names, in the same order?
fn fits(header: &[Column], cells: &[(Name, Node)]) -> bool {
    header.iter().map(|column| &column.name).eq(cells.iter().map(|(name, _)| name))
}

fn write_header(doc: &mut String, header: &[Column]) {
    doc.push('[');
    for (i, column) in header.iter().enumerate() {
        comma(doc, i);
        match &column.kind {
            Kind::Unknown | Kind::Lists | Kind::Plain => write_string(doc, &column.name),
            Kind::Row(nested) => {
                doc.push('{');
                write_key(doc, &column.name);
                write_header(doc, nested);
                doc.push('}');
            }
            Kind::Rows(nested) => {
                doc.push('{');
                write_key(doc, &column.name);
                doc.push('[');
                write_header(doc, nested);
                doc.push_str("]}");
            }
        }
    }
    doc.push(']');
}

fn comma(doc: &mut String, i: usize) {
    if i > 0 {
        doc.push(',');
    }
}

fn write_string(doc: &mut String, text: &str) {
    doc.push_str(&serde_json::to_string(text).unwrap_or_default());
}

fn write_key(doc: &mut String, name: &str) {
    write_string(doc, name);
    doc.push(':');
}

fn write_rows(doc: &mut String, rows: &[Node], header: &[Column]) {
    doc.push('[');
    for (i, row) in rows.iter().enumerate() {
        comma(doc, i);
        write_row(doc, row, header);
    }
    doc.push(']');
}

fn write_row(doc: &mut String, row: &Node, header: &[Column]) {
    let (Node::Row(cells) | Node::Map(cells)) = row else { return doc.push_str("null") };
    doc.push('[');
    for (i, column) in header.iter().enumerate() {
        comma(doc, i);
        let cell = match cells.get(i) {
            Some((name, cell)) if *name == column.name => Some(cell),
            _ => cells.iter().find(|(name, _)| *name == column.name).map(|(_, cell)| cell),
        };
        match (cell, &column.kind) {
            (None, _) => doc.push_str("null"),
            (Some(cell @ Node::Row(_)), Kind::Row(nested)) => write_row(doc, cell, nested),
            (Some(Node::List(rows)), Kind::Rows(nested)) => write_rows(doc, rows, nested),
            (Some(cell), _) => write_value(doc, cell),
        }
    }
    doc.push(']');
}

/// As serde_json writes it
fn write_value(doc: &mut String, node: &Node) {
    match node {
        Node::Null => doc.push_str("null"),
        Node::Text(text) => doc.push_str(text),
        Node::List(list) => {
            doc.push('[');
            for (i, element) in list.iter().enumerate() {
                comma(doc, i);
                write_value(doc, element);
            }
            doc.push(']');
        }
        Node::Row(members) | Node::Map(members) => {
            doc.push('{');
            for (i, (name, member)) in members.iter().enumerate() {
                comma(doc, i);
                write_key(doc, name);
                write_value(doc, member);
            }
            doc.push('}');
        }
    }
}

/// Makes nodes.
struct ToNode;

fn text<T: Serialize + ?Sized>(value: &T) -> Result<Node> {
    Ok(Node::Text(serde_json::to_string(value)?))
}

macro_rules! texts {
    ($($method:ident $type:ty,)*) => {$(
        fn $method(self, value: $type) -> Result<Node> {
            text(&value)
        }
    )*};
}

impl Serializer for ToNode {
    type Ok = Node;
    type Error = Error;
    type SerializeSeq = Elements;
    type SerializeTuple = Elements;
    type SerializeTupleStruct = Elements;
    type SerializeTupleVariant = Elements;
    type SerializeMap = Members;
    type SerializeStruct = Members;
    type SerializeStructVariant = Members;

    texts! {
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
        serialize_u128 u128, serialize_f32 f32, serialize_f64 f64, serialize_char char, serialize_str &str,
        serialize_bytes &[u8],
    }

    fn serialize_none(self) -> Result<Node> {
        Ok(Node::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Node> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Node> {
        Ok(Node::Null)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Node> {
        Ok(Node::Null)
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<Node> {
        text(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, value: &T) -> Result<Node> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Node> {
        Ok(Node::Map(vec![(variant.into(), value.serialize(self)?)]))
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Elements> {
        Ok(Elements { list: Vec::new(), variant: None })
    }

    fn serialize_tuple(self, _len: usize) -> Result<Elements> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _name: &'static str, _len: usize) -> Result<Elements> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Elements> {
        Ok(Elements { list: Vec::new(), variant: Some(variant) })
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Members> {
        Ok(Members { list: Vec::new(), kind: MembersOf::Map, key: None })
    }

    fn serialize_struct(self, name: &'static str, _len: usize) -> Result<Members> {
        // serde_json's own types of text that is JSON already
        let kind = if name.starts_with("$serde_json::private::") { MembersOf::Raw } else { MembersOf::Struct };
        Ok(Members { list: Vec::new(), kind, key: None })
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Members> {
        Ok(Members { list: Vec::new(), kind: MembersOf::Variant(variant), key: None })
    }
}

/// A sequence or tuple
struct Elements {
    list: Vec<Node>,
    variant: Option<&'static str>,
}

impl Elements {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.list.push(value.serialize(ToNode)?);
        Ok(())
    }

    fn node(self) -> Result<Node> {
        let list = Node::List(self.list);
        Ok(match self.variant {
            Some(variant) => Node::Map(vec![(variant.into(), list)]),
            None => list,
        })
    }
}

macro_rules! elements {
    ($($trait:ident $method:ident,)*) => {$(
        impl ser::$trait for Elements {
            type Ok = Node;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.push(value)
            }

            fn end(self) -> Result<Node> {
                self.node()
            }
        }
    )*};
}

elements! {
    SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field,
}

/// A key, as serde_json writes it
fn key<T: Serialize + ?Sized>(value: &T) -> Result<Name> {
    match serde_json::to_value(value)? {
        Value::String(name) => Ok(name.into()),
        Value::Number(name) => Ok(name.to_string().into()),
        Value::Bool(name) => Ok(name.to_string().into()),
        _ => Err(Error::custom("a key is no string")),
    }
}

/// A struct or map
struct Members {
    list: Vec<(Name, Node)>,
    kind: MembersOf,
    key: Option<Name>,
}

enum MembersOf {
    Struct,
    Map,
    Variant(&'static str),
    Raw,
}

impl Members {
    fn push<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        let node = match self.kind {
            MembersOf::Raw => Node::Text(key(value)?.into_owned()),
            _ => value.serialize(ToNode)?,
        };
        self.list.push((name.into(), node));
        Ok(())
    }

    fn node(mut self) -> Result<Node> {
        Ok(match self.kind {
            MembersOf::Struct => Node::Row(self.list),
            MembersOf::Map => Node::Map(self.list),
            MembersOf::Variant(variant) => Node::Map(vec![(variant.into(), Node::Map(self.list))]),
            MembersOf::Raw => self.list.pop().map_or(Node::Null, |(_, node)| node),
        })
    }
}

impl ser::SerializeStruct for Members {
    type Ok = Node;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.push(name, value)
    }

    /// It is a column nevertheless.
    fn skip_field(&mut self, name: &'static str) -> Result<()> {
        self.list.push((name.into(), Node::Null));
        Ok(())
    }

    fn end(self) -> Result<Node> {
        self.node()
    }
}

impl ser::SerializeStructVariant for Members {
    type Ok = Node;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.push(name, value)
    }

    fn end(self) -> Result<Node> {
        self.node()
    }
}

impl ser::SerializeMap for Members {
    type Ok = Node;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key = Some(self::key(key)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let name = self.key.take().ok_or_else(|| Error::custom("a value without a key"))?;
        self.list.push((name, value.serialize(ToNode)?));
        Ok(())
    }

    fn end(self) -> Result<Node> {
        self.node()
    }
}
