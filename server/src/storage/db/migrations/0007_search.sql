-- What a listener's words are looked up in (docs/adr/0008).

-- One row for each station and show that can be found. `tier` is 1 for the most popular few, then 2, 3 and 4 for the
-- rest: each has an index of its own, so that a word which half the catalogue bears is answered by the first alone.
CREATE TABLE search_documents (
  kind text NOT NULL CHECK (kind IN ('s', 'p')),
  item_id bigint NOT NULL,
  -- The name without spaces, by which a name typed in full is found at once.
  name_key text NOT NULL CHECK (length(name_key) <= 300),
  words tsvector NOT NULL,
  popularity integer NOT NULL,
  tier smallint NOT NULL CHECK (tier BETWEEN 1 AND 4),
  PRIMARY KEY (kind, item_id)
);
CREATE INDEX search_documents_name ON search_documents (kind, name_key);
CREATE INDEX search_documents_tier ON search_documents (kind, tier, popularity DESC);
CREATE INDEX search_stations_1 ON search_documents USING gin (words) WHERE kind = 's' AND tier = 1;
CREATE INDEX search_stations_2 ON search_documents USING gin (words) WHERE kind = 's' AND tier = 2;
CREATE INDEX search_stations_3 ON search_documents USING gin (words) WHERE kind = 's' AND tier = 3;
CREATE INDEX search_stations_4 ON search_documents USING gin (words) WHERE kind = 's' AND tier = 4;
CREATE INDEX search_shows_1 ON search_documents USING gin (words) WHERE kind = 'p' AND tier = 1;
CREATE INDEX search_shows_2 ON search_documents USING gin (words) WHERE kind = 'p' AND tier = 2;
CREATE INDEX search_shows_3 ON search_documents USING gin (words) WHERE kind = 'p' AND tier = 3;
CREATE INDEX search_shows_4 ON search_documents USING gin (words) WHERE kind = 'p' AND tier = 4;

-- How popular an item must be for a tier; moved as the catalogue grows, so that the tiers keep their sizes.
CREATE TABLE search_tiers (
  kind text PRIMARY KEY CHECK (kind IN ('s', 'p')),
  -- The least popularity of tiers 1, 2 and 3.
  least integer[] NOT NULL CHECK (array_length(least, 1) = 3)
);
INSERT INTO search_tiers (kind, least) VALUES ('s', '{0,0,0}'), ('p', '{0,0,0}');

-- A word and every text that is left of it when one letter is missing: two words one typing error apart have one in
-- common. A word stays when the last document that had it goes; it then leads nowhere.
CREATE FUNCTION spellings(word text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY (
  SELECT word UNION SELECT left(word, n - 1) || substr(word, n + 1) FROM generate_series(1, length(word)) AS n
);
CREATE TABLE search_words (
  word text PRIMARY KEY CHECK (length(word) BETWEEN 3 AND 40),
  near text[] NOT NULL GENERATED ALWAYS AS (spellings(word)) STORED
);
CREATE INDEX search_words_near ON search_words USING gin (near);

-- Items whose documents are out of date. Every transaction adds rows of its own and takes them away before it commits,
-- so nothing is unique here: a row shared with another transaction could be taken away by that one too early.
CREATE TABLE search_stale (
  kind text NOT NULL,
  item_id bigint NOT NULL
);

CREATE FUNCTION mark_stations() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO search_stale SELECT 's', id FROM changed;
  RETURN NULL;
END $$;
CREATE FUNCTION mark_shows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO search_stale SELECT 'p', id FROM changed;
  RETURN NULL;
END $$;
CREATE FUNCTION mark_stations_of_rows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO search_stale SELECT DISTINCT 's', station_id FROM changed;
  RETURN NULL;
END $$;
-- A probe writes down each time how a stream did; only whether it is listed, and whose it is, makes it findable.
CREATE FUNCTION mark_stations_of_streams() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO search_stale
  SELECT DISTINCT 's', moved.station_id FROM before b JOIN changed c USING (id)
  CROSS JOIN LATERAL (VALUES (b.station_id), (c.station_id)) AS moved (station_id)
  WHERE (b.listed, b.station_id) IS DISTINCT FROM (c.listed, c.station_id);
  RETURN NULL;
END $$;
-- Names change once in years, so it may cost what it costs.
CREATE FUNCTION mark_items_of_genres() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NOT EXISTS (SELECT FROM before b JOIN changed c USING (id)
    WHERE (b.name, b.parent_id) IS DISTINCT FROM (c.name, c.parent_id)) THEN RETURN NULL; END IF;
  INSERT INTO search_stale SELECT DISTINCT 's', station_id FROM station_genres;
  INSERT INTO search_stale SELECT 'p', id FROM shows WHERE genre_id IS NOT NULL;
  RETURN NULL;
END $$;
CREATE FUNCTION mark_items_of_regions() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO search_stale
  WITH RECURSIVE moved AS (
    SELECT c.id FROM before b JOIN changed c USING (id)
    WHERE (b.name, b.parent_id) IS DISTINCT FROM (c.name, c.parent_id)
    UNION SELECT r.id FROM regions r JOIN moved m ON r.parent_id = m.id
  )
  SELECT 's', s.id FROM stations s JOIN moved m ON s.region_id = m.id;
  RETURN NULL;
END $$;
CREATE FUNCTION mark_items_of_countries() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO search_stale
  WITH moved AS (SELECT c.id FROM before b JOIN changed c USING (id) WHERE b.name <> c.name)
  SELECT 's', s.id FROM stations s JOIN moved m ON s.country_id = m.id
  UNION ALL SELECT 'p', p.id FROM shows p JOIN moved m ON p.country_id = m.id;
  RETURN NULL;
END $$;
CREATE FUNCTION mark_items_of_languages() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO search_stale
  WITH moved AS (SELECT c.id FROM before b JOIN changed c USING (id) WHERE b.name <> c.name)
  SELECT 's', l.station_id FROM station_languages l JOIN moved m ON l.language_id = m.id
  UNION ALL SELECT 'p', p.id FROM shows p JOIN moved m ON p.language_id = m.id;
  RETURN NULL;
END $$;

CREATE TRIGGER stations_search_added AFTER INSERT ON stations
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_stations();
CREATE TRIGGER stations_search_changed AFTER UPDATE ON stations
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_stations();
CREATE TRIGGER stations_search_gone AFTER DELETE ON stations
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_stations();
CREATE TRIGGER shows_search_added AFTER INSERT ON shows
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_shows();
CREATE TRIGGER shows_search_changed AFTER UPDATE ON shows
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_shows();
CREATE TRIGGER shows_search_gone AFTER DELETE ON shows
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_shows();
CREATE TRIGGER streams_search_added AFTER INSERT ON streams
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_stations_of_rows();
CREATE TRIGGER streams_search_changed AFTER UPDATE ON streams
REFERENCING OLD TABLE AS before NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION mark_stations_of_streams();
CREATE TRIGGER streams_search_gone AFTER DELETE ON streams
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_stations_of_rows();
CREATE TRIGGER station_genres_search_added AFTER INSERT ON station_genres
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_stations_of_rows();
CREATE TRIGGER station_genres_search_gone AFTER DELETE ON station_genres
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_stations_of_rows();
CREATE TRIGGER station_languages_search_added AFTER INSERT ON station_languages
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_stations_of_rows();
CREATE TRIGGER station_languages_search_gone AFTER DELETE ON station_languages
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_stations_of_rows();
CREATE TRIGGER genres_search_changed AFTER UPDATE ON genres
REFERENCING OLD TABLE AS before NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION mark_items_of_genres();
CREATE TRIGGER regions_search_changed AFTER UPDATE ON regions
REFERENCING OLD TABLE AS before NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION mark_items_of_regions();
CREATE TRIGGER countries_search_changed AFTER UPDATE ON countries
REFERENCING OLD TABLE AS before NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION mark_items_of_countries();
CREATE TRIGGER languages_search_changed AFTER UPDATE ON languages
REFERENCING OLD TABLE AS before NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION mark_items_of_languages();

-- What is there already is out of date until the catalogue next moves.
INSERT INTO search_stale SELECT 's', id FROM stations UNION ALL SELECT 'p', id FROM shows;
