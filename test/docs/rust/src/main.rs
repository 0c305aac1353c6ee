//! Runs what doc/rust.md shows: test/docs/rust/test puts its code beside this file.

mod read {
    include!("page1.rs");
    pub async fn run(client: &Client) -> Result<(), Error> {
        print_films(client).await
    }
    /// Rows that are null as a whole
    impl<Row: Columns> Columns for Option<Row> {
        const COLS: &'static str = Row::COLS;
    }
    /// Two columns
    #[derive(Debug, PartialEq, Deserialize)]
    struct Pair(Value, Value);
    impl Columns for Pair {
        const COLS: &'static str = r#"["id", "title"]"#;
    }
    /// What the page says without showing it
    pub async fn others(client: &Client) -> Result<(), Box<dyn std::error::Error>> {
        for document in ["jsonrow_agg(f.*)", "jsonrow_agg(f.*)::jsonb", "jsonrow_agg_json(f.*)",
            "jsonrow_agg_json(f.*)::json"] {
            let sql = format!("SELECT {document} FROM (SELECT id, NULL::text AS title, (SELECT jsonrow_agg(a.*)
                FROM (SELECT name FROM actor WHERE film_id = film.id) a) AS actors FROM film) f");
            let Json(doc): Json<Doc<Film>> = client.query_one(&sql, &[]).await?.try_get(0)?;
            assert!(doc.rows.len() == 3 && doc.rows[0].title.is_none() && doc.rows[0].actors.len() == 2, "{document}");
        }
        let nulls = r#"SELECT '{"cols":["id","title",{"actors":[[]]}],"rows":[null,[1,"a",[]]]}'::jsonb"#;
        let Json(doc): Json<Doc<Option<Film>>> = client.query_one(nulls, &[]).await?.try_get(0)?;
        assert!(doc.rows[0].is_none() && doc.rows[1].as_ref().unwrap().id == 1);
        let empty = client.query_one(r#"SELECT '{"cols":[],"rows":[]}'::jsonb"#, &[]).await?;
        assert!(empty.try_get::<_, Json<Doc<Film>>>(0)?.0.rows.is_empty());
        for width in ["[]", "[\"a\",1,1]"] {
            let sql = format!(r#"SELECT '{{"cols":["id","title"],"rows":[{width}]}}'::jsonb"#);
            assert!(client.query_one(&sql, &[]).await?.try_get::<_, Json<Doc<Pair>>>(0).is_err(), "{width}");
        }
        let Json(doc): Json<Doc<Pair>> = client.query_one("SELECT doc FROM report", &[]).await?.try_get(0)?;
        assert_eq!(doc.rows[1], Pair(3.into(), "Casablanca".into()));
        headers(client).await
    }
    /// Headers that are not what is expected, at either depth
    async fn headers(client: &Client) -> Result<(), Box<dyn std::error::Error>> {
        let swapped = "SELECT jsonrow_agg_json(f.*) FROM (SELECT title, title AS id FROM film) f";
        let error = client.query_one(swapped, &[]).await?.try_get::<_, Json<Doc<Pair>>>(0).err().unwrap().to_string();
        assert!(error.contains(r#"columns are ["title","id"], not ["id","title"]"#), "{error}");
        for cols in [r#"["title","id",{"actors":[["name"]]}]"#, r#"["id","title",{"actors":[["role"]]}]"#,
            r#"["id","title",{"actors":[["name","role"]]}]"#, r#"["id","title",{"actors":["name"]}]"#,
            r#"["id","title","actors"]"#, r#"["id","title",{"cast":[["name"]]}]"#, r#"["id","title"]"#,
            r#"["id",{"title":[["name"]]},{"actors":[["name"]]}]"#] {
            let sql = format!(r#"SELECT '{{"cols":{cols},"rows":[]}}'::jsonb"#);
            let error = client.query_one(&sql, &[]).await?.try_get::<_, Json<Doc<Film>>>(0).err().unwrap();
            assert!(error.to_string().contains("columns are"), "{error}");
        }
        Ok(())
    }

    // What is on the page before it belongs to it.
    pub mod stream {
        use super::{Columns, Header};
        include!("page3.rs");
        pub async fn run(client: &Client) -> Result<(), Box<dyn Error>> {
            print_titles(client).await
        }
        #[derive(Deserialize)]
        struct Long(String, i32);
        impl Columns for Long {
            const COLS: &'static str = r#"["x", "y"]"#;
        }
        /// What the page says without showing it
        pub async fn others(client: &Client) -> Result<(), Box<dyn Error>> {
            let header = "SELECT E'{\"cols\":[\"title\"]}\\n[\"b\"]\\n";
            for (rest, message) in [
                ("'", "cut off"),
                ("{\"rows\":2}\\n'", "cut off"),
                ("[1]\\n{\"rows\":2}\\n'", "invalid type"),
            ] {
                let error = lines(client, &format!("{header}{rest}"), &[], |_: Title| ()).await.unwrap_err();
                assert!(error.to_string().contains(message), "{error}");
            }
            let renamed = "SELECT jsonrow_stream_lines('SELECT title AS id FROM film')";
            let error = lines(client, renamed, &[], |_: Title| ()).await.unwrap_err().to_string();
            assert!(error.contains(r#"columns are ["id"], not ["title"]"#), "{error}");
            let long = "SELECT jsonrow_stream_lines(
                'SELECT repeat(''x'', 50) AS x, 1 / ($1 - i) AS y FROM generate_series(1, 30000) i', $1::int)";
            let mut count = 0;
            lines(client, long, &[&40000], |row: Long| count += row.0.len() / 50 + row.1 as usize).await?;
            assert_eq!(count, 30000);
            assert!(lines(client, long, &[&20000], |_: Long| ()).await.is_err());
            Ok(())
        }
    }
}

mod write {
    include!("page2.rs");
    pub async fn run(client: &Client) -> Result<(), Error> {
        insert(client).await
    }
}

const TABLES: &str = "
    SET client_min_messages = warning;
    CREATE EXTENSION IF NOT EXISTS jsonrow;
    CREATE TEMPORARY TABLE film (id int, title text);
    CREATE TEMPORARY TABLE actor (film_id int, name text);
    CREATE TEMPORARY TABLE report (doc jsonrow);
    INSERT INTO film VALUES (1, 'Alien');
    INSERT INTO actor VALUES (1, 'Weaver'), (1, 'Hurt')";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let variable = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{} is not set", name));
    let mut config = tokio_postgres::Config::new();
    config.host(&variable("PGHOST")).port(variable("PGPORT").parse()?).user(&variable("PGUSER"));
    config.dbname(&variable("PGDATABASE"));
    let (client, connection) = config.connect(tokio_postgres::NoTls).await?;
    tokio::spawn(connection);
    client.batch_execute(TABLES).await?;
    write::run(&client).await?;
    read::run(&client).await?;
    read::stream::run(&client).await?;
    read::others(&client).await?;
    read::stream::others(&client).await
}
