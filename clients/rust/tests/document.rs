//! Documents from and to text

use jsonrow::{from_str, Error, Place, Rows};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{json, Map, Value};
use std::collections::BTreeMap;
use std::fmt::Debug;

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Film {
    id: i64,
    title: Option<String>,
    rating: f64,
    actors: Option<Vec<Actor>>,
    lead: Option<Actor>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Actor {
    name: String,
    born: Option<i32>,
}

const FILMS: &str = r#"{"cols":["id","title","rating",{"actors":[["name","born"]]},{"lead":["name","born"]}],"rows":[
    [1,"Alien",8.5,[["Weaver",1949],["Hurt",null]],["Weaver",1949]],[2,null,0.1,[],null],
    [3,"\u00e9",-1e2,null,["x",1]]]}"#;

const OBJECTS: &str = r#"[{"id":1,"title":"Alien","rating":8.5,"actors":[{"name":"Weaver","born":1949},
    {"name":"Hurt","born":null}],"lead":{"name":"Weaver","born":1949}},
    {"id":2,"title":null,"rating":0.1,"actors":[],"lead":null},
    {"id":3,"title":"é","rating":-1e2,"actors":null,"lead":{"name":"x","born":1}}]"#;

/// A document is read as serde_json reads the same rows as objects: these, or an error with this text.
fn same<T: DeserializeOwned + PartialEq + Debug>(doc: &str, objects: &str) {
    match (from_str::<T>(doc), serde_json::from_str::<Vec<T>>(objects)) {
        (Ok(rows), Ok(expected)) => assert_eq!(rows, expected, "{doc}"),
        (Err(Error::Row { source, .. }), Err(expected)) => {
            let words = |error: serde_json::Error| error.to_string().split(" at line").next().unwrap().to_owned();
            assert_eq!(words(source), words(expected), "{doc}");
        }
        (rows, expected) => panic!("{doc}: {rows:?}, not {expected:?}"),
    }
}

#[test]
fn types() {
    same::<Film>(FILMS, OBJECTS);
    same::<Option<Film>>(FILMS, OBJECTS);
    same::<Box<Film>>(FILMS, OBJECTS);
    same::<Value>(FILMS, OBJECTS);
    same::<Map<String, Value>>(FILMS, OBJECTS);
    same::<BTreeMap<String, Value>>(FILMS, OBJECTS);
    #[derive(Debug, Deserialize, PartialEq)]
    struct Newtype(Film);
    same::<Newtype>(FILMS, OBJECTS);
    #[derive(Debug, Deserialize, PartialEq)]
    struct Flat {
        id: i32,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    same::<Flat>(FILMS, OBJECTS);
    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(untagged)]
    enum Either {
        Other { other: i32 },
        Film(Film),
    }
    same::<Either>(FILMS, OBJECTS);
    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(tag = "kind", rename_all = "lowercase")]
    enum Tagged {
        Circle { radius: f64 },
        Square { side: f64 },
    }
    let doc = r#"{"cols":["kind","radius","side"],"rows":[["circle",1.5,null],["square",null,2]]}"#;
    let objects = r#"[{"kind":"circle","radius":1.5,"side":null},{"kind":"square","radius":null,"side":2}]"#;
    same::<Tagged>(doc, objects);
    #[derive(Debug, Deserialize, PartialEq)]
    enum External {
        One { a: i32 },
    }
    same::<External>(r#"{"cols":[{"One":["a"]}],"rows":[[[1]]]}"#, r#"[{"One":{"a":1}}]"#);
    #[derive(Debug, Deserialize, PartialEq)]
    struct Node {
        name: String,
        #[serde(default)]
        children: Vec<Node>,
    }
    same::<Node>(
        r#"{"cols":["name",{"children":[["name"]]}],"rows":[["a",[["b"],["c"]]]]}"#,
        r#"[{"name":"a","children":[{"name":"b"},{"name":"c"}]}]"#,
    );
    #[derive(Debug, Deserialize, PartialEq)]
    struct Borrowed<'a> {
        text: &'a str,
    }
    assert_eq!(from_str::<Borrowed>(r#"{"cols":["text"],"rows":[["x"]]}"#).unwrap(), [Borrowed { text: "x" }]);
    same::<(i32, String)>(r#"{"cols":["a","b"],"rows":[[1,"x"]]}"#, r#"[{"a":1,"b":"x"}]"#);
}

#[test]
fn names() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Pair {
        id: i32,
        title: Option<String>,
        #[serde(default)]
        year: i32,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    struct Strict {
        film_id: i32,
        #[serde(alias = "name")]
        title: String,
    }
    let a = |cols: &str, row: &str| format!(r#"{{"cols":{cols},"rows":[{row}]}}"#);
    same::<Pair>(&a(r#"["id","title","year"]"#, r#"[1,"a",2]"#), r#"[{"id":1,"title":"a","year":2}]"#);
    same::<Pair>(&a(r#"["year","title","id"]"#, r#"[2,"a",1]"#), r#"[{"id":1,"title":"a","year":2}]"#);
    same::<Pair>(&a(r#"["id"]"#, "[1]"), r#"[{"id":1}]"#);
    same::<Pair>(&a(r#"["title"]"#, r#"["a"]"#), r#"[{"title":"a"}]"#);
    same::<Pair>(&a(r#"["x",{"y":[["z"]]},"id"]"#, r#"[{"q":[1]},[[2]],1]"#), r#"[{"id":1}]"#);
    same::<Pair>(&a(r#"["id","id"]"#, "[1,2]"), r#"[{"id":1,"id":2}]"#);
    same::<Strict>(&a(r#"["filmId","title"]"#, r#"[1,"a"]"#), r#"[{"filmId":1,"title":"a"}]"#);
    same::<Strict>(&a(r#"["name","filmId"]"#, r#"["a",1]"#), r#"[{"name":"a","filmId":1}]"#);
    same::<Strict>(&a(r#"["filmId","title","name"]"#, r#"[1,"a","b"]"#), r#"[{"filmId":1,"title":"a","name":"b"}]"#);
    same::<Strict>(&a(r#"["filmId","title","x"]"#, r#"[1,"a",2]"#), r#"[{"filmId":1,"title":"a","x":2}]"#);
    same::<Strict>(&a(r#"["film\u0049d","title"]"#, r#"[1,"a"]"#), r#"[{"filmId":1,"title":"a"}]"#);
    same::<Film>(r#"{"cols":[],"rows":[]}"#, "[]");
    same::<Option<Film>>(&a(r#"["id"]"#, "null"), "[null]");
    same::<Film>(&a(r#"["id"]"#, "null"), "[null]");
    same::<Value>(&a("[]", "[],null"), "[{},null]");
}

#[test]
fn members() {
    let objects = r#"[{"id":1,"title":"x"},{"id":2,"title":null}]"#;
    for doc in [
        r#" { "rows" : [ [ 1 , "x" ] , [2, null] ] , "types": {"x": [1]}, "cols": [ "id" , "title" ] } "#,
        r#"{"cols":["x"],"rows":[["a"]],"cols":["title","id"],"rows":[["x",1],[null,2]]}"#,
        r#"{"\u0063ols":["id","title"],"types":null,"rows":[[1,"x"],[2,null]]}"#,
        r#"{"cols":["id","title"],"vals":[[1,2],["x",null]]}"#,
        r#"{"vals":[["x",null],[1,2]],"cols":["title","id"]}"#,
    ] {
        same::<Value>(doc, objects);
        same::<BTreeMap<String, Value>>(doc, objects);
    }
    let vals = r#"{"cols":["id","title","rating",{"actors":[["name","born"]]},{"lead":["name","born"]}],"vals":[
        [1,2,3],["Alien",null,"\u00e9"],[8.5,0.1,-1e2],[[["Weaver",1949],["Hurt",null]],[],null],
        [["Weaver",1949],null,["x",1]]]}"#;
    same::<Film>(vals, OBJECTS);
    same::<Option<Film>>(vals, OBJECTS);
    same::<Film>(r#"{"cols":["id"],"vals":[[]]}"#, "[]");
    same::<Film>(r#"{"cols":[],"vals":[]}"#, "[]");
    let films: Rows<Film> = serde_json::from_str(FILMS).unwrap();
    assert_eq!(films.0, serde_json::from_str::<Vec<Film>>(OBJECTS).unwrap());
    assert_eq!(serde_json::from_value::<Rows<Value>>(json!({"cols": ["a"], "rows": [[1]]})).unwrap()[0]["a"], 1);
}

fn place(row: impl Into<Option<usize>>, column: &str, offset: usize) -> String {
    let mut place = Place::default();
    place.row = row.into();
    place.column = if column.is_empty() { None } else { Some(column.into()) };
    place.offset = offset;
    place.to_string()
}

#[test]
fn errors() {
    let mut wrong = Vec::new();
    for (doc, reason, place) in [
        ("[]", "invalid type: sequence, expected a document", place(None, "", 0)),
        (r#"{"rows":[]}"#, "it has no cols", place(None, "", 11)),
        (r#"{"cols":[]}"#, "it has neither rows nor vals", place(None, "", 11)),
        (r#"{"cols":[],"rows":[],"vals":[]}"#, "it has both rows and vals", place(None, "", 31)),
        (r#"{"cols":[],"rows":[]} x"#, "trailing characters", place(None, "", 23)),
        (r#"{"cols":[],"rows":[],"more":1}"#, r#"it has a member "more""#, place(None, "", 27)),
        (r#"{"cols":[1],"rows":[]}"#, "invalid type: integer `1`, expected a column's name", place(None, "", 10)),
        (r#"{"cols":[{}],"rows":[]}"#, "a nested column without a name", place(None, "", 11)),
        (r#"{"cols":[["a"]],"rows":[]}"#, "a list in a header where a name must be", place(None, "", 15)),
        (r#"{"cols":["id"],"rows":7}"#, "invalid type: integer `7`, expected an array of rows", place(None, "", 23)),
        (r#"{"cols":["a","b"],"rows":[[1,2],[1]]}"#, "a row has 1 of 2 cells", place(1, "", 35)),
        (r#"{"cols":["a"],"rows":[[1, 2]]}"#, "a row has more cells than there are columns, 1", place(0, "", 28)),
        (r#"{"cols":["a"],"rows":[1]}"#, "a value instead of a row", place(0, "", 23)),
        (r#"{"cols":["a"],"rows":[{"a":1}]}"#, "a value instead of a row", place(0, "", 23)),
        (
            r#"{"cols":[{"a":[["b"]]}],"rows":[[[[1],[2,3]]]]}"#,
            "a row has more cells than there are columns, 1",
            place(0, "a[1]", 43),
        ),
        (r#"{"cols":["a"],"rows":[[01]]}"#, "invalid number", place(0, "a", 25)),
        (r#"{"cols":["a"],"vals":[[1],[2]]}"#, "it has 2 vectors and 1 columns", place(None, "", 30)),
        (r#"{"cols":["a","b"],"vals":[[1],[]]}"#, "vectors have different lengths", place(None, "", 33)),
    ] {
        match from_str::<Value>(doc) {
            Err(Error::NotADocument { reason: found, place: at }) => {
                if (&*found, at.to_string()) != (reason, place) {
                    wrong.push(format!("{doc}: {found}{at}"));
                }
            }
            other => wrong.push(format!("{doc}: {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let doc = r#"{"cols":["id","title","rating",{"actors":[["name","born"]]}],"rows":[
        [1,"a",1,[]],[2,"b",2,[["x",1],["y","z"]]]]}"#;
    let error = from_str::<Film>(doc).unwrap_err();
    let at = error.place().unwrap();
    assert_eq!((at.row, at.column.as_deref()), (Some(1), Some("actors[1].born")));
    assert!(doc[..at.offset].ends_with(r#""z""#), "{at}");
    assert!(matches!(error, Error::Row { .. }));
    let text = r#"invalid type: string "z", expected i32, row 1, column actors[1].born at byte "#;
    assert!(error.to_string().starts_with(text), "{error}");
    let error = from_str::<Film>(r#"{"cols":["id","title"],"vals":[[1,2],["a",3]]}"#).unwrap_err();
    assert_eq!(error.to_string(), "missing field `rating`, row 0 at byte 38");
    let missing = jsonrow::from_slice::<Value>(b"{\"cols\":[\"\xff\"],\"rows\":[]}").unwrap_err();
    assert_eq!(missing.to_string(), "not a jsonrow document: it is not UTF-8 at byte 10");
}

/// What an error prints is not printed again as its source.
#[test]
fn sources() {
    #[derive(Debug)]
    struct Outer(std::fmt::Error);
    impl std::fmt::Display for Outer {
        fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
            f.write_str("outer")
        }
    }
    impl std::error::Error for Outer {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }
    use std::error::Error as _;
    let row = from_str::<Film>(r#"{"cols":["id"],"rows":[["x"]]}"#).unwrap_err();
    assert!(matches!(row, Error::Row { .. }) && row.source().is_none(), "{row:?}");
    let failed = Error::Source(Outer(std::fmt::Error).into());
    assert!(failed.to_string() == "outer" && failed.source().unwrap().is::<std::fmt::Error>(), "{failed:?}");
}

#[test]
fn rows() {
    let mut rows: Rows<i32> = [1, 2].into_iter().collect();
    for row in &mut rows {
        *row += 1;
    }
    assert_eq!(Vec::from(rows), [2, 3]);
}

#[test]
fn bytea() {
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct File {
        #[serde(with = "jsonrow::bytea")]
        data: Vec<u8>,
        #[serde(with = "jsonrow::bytea", default)]
        hash: Option<Vec<u8>>,
    }
    let read = |data: &str| from_str::<File>(&format!(r#"{{"cols":["data"],"rows":[[{data}]]}}"#));
    let all = (0..=255).collect::<Vec<u8>>();
    let rows = [File { data: all.clone(), hash: Some(vec![]) }, File { data: vec![], hash: None }];
    assert_eq!(from_str::<File>(&jsonrow::to_string(&rows).unwrap()).unwrap(), rows);
    assert_eq!(read(r#""\\xABcd\u0030f""#).unwrap(), [File { data: vec![0xab, 0xcd, 0x0f], hash: None }]);
    for wrong in ["null", "1", r#""abcd""#, r#""\\x0""#, r#""\\x0g""#, r#""\\x+1""#, r#""\\xé""#] {
        assert!(matches!(read(wrong), Err(Error::Row { .. })), "{wrong}");
    }
    let text = read("null").unwrap_err().to_string();
    assert!(text.starts_with("invalid type: null, expected \\x and hexadecimal digits, row 0, column data"), "{text}");
}

/// Whatever is cut off, the error is that it ended early.
#[test]
fn cut() {
    let vals = r#"{"cols":["id"],"types":["int4"],"vals":[[1,2]],"types":{"a":[true,-1.5e3]}}"#;
    for doc in [FILMS, vals] {
        for end in (0..doc.len()).filter(|&end| doc.is_char_boundary(end)) {
            match from_str::<Value>(&doc[..end]) {
                Err(Error::EndedEarly { place, .. }) => assert_eq!(place.offset, end),
                other => panic!("{}: {other:?}", &doc[..end]),
            }
        }
    }
}

#[test]
fn encode() {
    let films: Vec<Film> = from_str(FILMS).unwrap();
    let doc = jsonrow::to_string(&films).unwrap();
    assert_eq!(doc, FILMS.replace("\n    ", "").replace(r"\u00e9", "é").replace("-1e2", "-100.0"));
    assert_eq!(from_str::<Film>(&doc).unwrap(), films);
    let rows = [Some(json!({"b": 1, "a": [{"x": 1}]})), None, Some(json!({"c": null}))];
    assert_eq!(
        jsonrow::to_string(&rows).unwrap(),
        r#"{"cols":["a","b","c"],"rows":[[[{"x":1}],1,null],null,[null,null,null]]}"#
    );
    #[derive(Serialize)]
    struct Many {
        #[serde(skip_serializing_if = "Option::is_none")]
        skipped: Option<i32>,
        unit: (),
        pair: (i32, char),
        variant: Variant,
        list: Vec<Actor>,
        maybe: Vec<Option<Actor>>,
        raw: Box<serde_json::value::RawValue>,
        map: BTreeMap<i32, bool>,
        document: Rows<Actor>,
    }
    #[derive(Serialize)]
    enum Variant {
        Unit,
        Newtype(f32),
        Struct { a: Actor },
        Tuple(i32, u8),
    }
    let actor = || Actor { name: "\"q\"".into(), born: None };
    let many = |variant, list, maybe| Many {
        skipped: None,
        unit: (),
        pair: (1, 'x'),
        variant,
        list,
        maybe,
        raw: serde_json::value::RawValue::from_string("[ 1.50 ]".into()).unwrap(),
        map: [(1, true)].into(),
        document: Rows(vec![actor()]),
    };
    let rest = r#"[ 1.50 ],{"1":true},{"cols":["name","born"],"rows":[["\"q\"",null]]}"#;
    let expected = format!(
        r#"{{"cols":["skipped","unit","pair","variant","list",{{"maybe":[["name","born"]]}},{}],"rows":[{}]}}"#,
        r#""raw","map","document""#,
        [
            format!(r#"[null,null,[1,"x"],"Unit",[],[],{rest}]"#),
            format!(r#"[null,null,[1,"x"],{{"Newtype":0.5}},[],[null,["\"q\"",null]],{rest}]"#),
            format!(r#"[null,null,[1,"x"],{{"Struct":{{"a":{{"name":"\"q\"","born":null}}}}}},[],[],{rest}]"#),
            format!(r#"[null,null,[1,"x"],{{"Tuple":[1,2]}},[],[null],{rest}]"#),
        ]
        .join(",")
    );
    let rows = [
        many(Variant::Unit, vec![], vec![]),
        many(Variant::Newtype(0.5), vec![], vec![None, Some(actor())]),
        many(Variant::Struct { a: actor() }, vec![], vec![]),
        many(Variant::Tuple(1, 2), vec![], vec![None]),
    ];
    assert_eq!(jsonrow::to_string(&rows).unwrap(), expected);
    from_str::<Value>(&expected).unwrap();
    assert!(jsonrow::to_string(&[1]).unwrap_err().to_string().contains("neither a struct nor a map"));
    assert_eq!(jsonrow::to_vec::<Film>(&[]).unwrap(), br#"{"cols":[],"rows":[]}"#);
    let field = json!({ "films": Rows(films) });
    assert_eq!(field["films"]["cols"][0], "id");
}
