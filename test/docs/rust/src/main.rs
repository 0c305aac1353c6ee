//! Runs what doc/rust.md shows: test/docs/rust/test puts its code beside this file.

mod read {
    include!("page1.rs");
    pub async fn run(client: &Client) -> Result<(), Error> {
        print_films(client).await
    }
    /// What the page says without showing it
    pub async fn others(client: &Client) -> Result<(), Box<dyn std::error::Error>> {
        for document in ["jsonrow_agg(f.*)", "jsonrow_agg(f.*)::jsonb", "jsonrow_agg_json(f.*)",
            "jsonrow_agg_json(f.*)::json"] {
            let sql = format!("SELECT {document} FROM (SELECT id, NULL::text AS t, '[]'::jsonb AS a FROM film) f");
            let Json(doc): Json<Doc<Film>> = client.query_one(&sql, &[]).await?.try_get(0)?;
            assert!(doc.rows.len() == 3 && doc.rows[0].title.is_none(), "{document}");
        }
        let nulls = r#"SELECT '{"cols":["name"],"rows":[null,["a"]]}'::jsonb"#;
        let Json(doc): Json<Doc<Option<Actor>>> = client.query_one(nulls, &[]).await?.try_get(0)?;
        assert!(doc.rows[0].is_none() && doc.rows[1].as_ref().unwrap().name == "a");
        for width in ["[]", "[\"a\",1]"] {
            let sql = format!("SELECT '{{\"cols\":[],\"rows\":[{width}]}}'::jsonb");
            assert!(client.query_one(&sql, &[]).await?.try_get::<_, Json<Doc<Actor>>>(0).is_err(), "{width}");
        }
        let Json(doc): Json<Doc<(i32, String)>> = client.query_one("SELECT doc FROM report", &[]).await?.try_get(0)?;
        assert_eq!(doc.rows[1], (3, "Casablanca".to_string()));
        Ok(())
    }
}

mod write {
    include!("page2.rs");
    pub async fn run(client: &Client) -> Result<(), Error> {
        insert(client).await
    }
}

mod stream {
    include!("page3.rs");
    pub async fn run(client: &Client) -> Result<(), Box<dyn Error>> {
        print_titles(client).await
    }
    /// What the page says without showing it
    pub async fn others(client: &Client) -> Result<(), Box<dyn Error>> {
        let header = "SELECT E'{\"cols\":[\"a\"]}\\n[\"b\"]\\n";
        for (rest, message) in [
            ("'", "cut off"),
            ("{\"rows\":2}\\n'", "cut off"),
            ("[1]\\n{\"rows\":2}\\n'", "invalid type"),
        ] {
            let error = lines(client, &format!("{header}{rest}"), &[], |_: (String,)| ()).await.unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
        }
        let long = "SELECT jsonrow_stream_lines(
            'SELECT repeat(''x'', 50), 1 / ($1 - i) FROM generate_series(1, 30000) i', $1::int)";
        let mut count = 0;
        lines(client, long, &[&40000], |_: (String, i32)| count += 1).await?;
        assert_eq!(count, 30000);
        assert!(lines(client, long, &[&20000], |_: (String, i32)| ()).await.is_err());
        Ok(())
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
    stream::run(&client).await?;
    read::others(&client).await?;
    stream::others(&client).await
}
