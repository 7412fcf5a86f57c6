-- What can be played of a show, so that a caller who names formats is shown no other: one bit for each format of a topic
-- and of a station that has it on air, in the order of lib/stream-format.ts. Beside the order in which menus list shows,
-- so that a page is cut of the index alone. Bits are only ever added: a topic stays though its feed tells it no more.
CREATE FUNCTION format_bit(format text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(1 << (array_position(ARRAY['mp3', 'aac', 'ogg', 'hls', 'wma', 'flash', 'real', 'html', 'wmpro', 'wmvoice',
    'wmvideo', 'qt', 'flac', 'opus', 'wav'], format) - 1), 0)
$$;

ALTER TABLE shows ADD COLUMN formats integer NOT NULL DEFAULT 0;
ALTER TABLE newest_topics ADD COLUMN formats integer NOT NULL DEFAULT 0;

-- Nearly all sound that a feed gives no format for is MP3.
UPDATE shows SET formats = t.formats
FROM (SELECT show_id, bit_or(format_bit(coalesce(format, 'mp3'))) AS formats FROM topics GROUP BY show_id) AS t
WHERE shows.id = t.show_id;

CREATE FUNCTION formats_of_station(station bigint) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT coalesce(bit_or(format_bit(coalesce(c.format, s.format))), 0) FROM streams AS s
  LEFT JOIN LATERAL (SELECT format FROM stream_checks WHERE stream_id = s.id OFFSET 0) AS c ON true
  WHERE s.station_id = station AND s.listed
$$;

UPDATE shows SET formats = shows.formats | b.formats
FROM (SELECT show_id, bit_or(formats_of_station(station_id)) AS formats
  FROM (SELECT DISTINCT show_id, station_id FROM broadcasts) AS aired GROUP BY show_id) AS b
WHERE shows.id = b.show_id;

UPDATE newest_topics SET formats = format_bit(coalesce(t.format, 'mp3'))
FROM topics AS t WHERE t.shard = newest_topics.topic_id & 1023 AND t.id = newest_topics.topic_id;

CREATE FUNCTION keep_formats_of_topics() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE shows SET formats = shows.formats | t.formats
  FROM (SELECT show_id, bit_or(format_bit(coalesce(format, 'mp3'))) AS formats FROM told GROUP BY show_id) AS t
  WHERE shows.id = t.show_id AND shows.formats & t.formats <> t.formats;
  RETURN NULL;
END $$;
CREATE TRIGGER topics_added AFTER INSERT ON topics REFERENCING NEW TABLE AS told
FOR EACH STATEMENT EXECUTE FUNCTION keep_formats_of_topics();
CREATE TRIGGER topics_changed AFTER UPDATE ON topics REFERENCING NEW TABLE AS told
FOR EACH STATEMENT EXECUTE FUNCTION keep_formats_of_topics();

CREATE FUNCTION keep_formats_of_stations() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE shows SET formats = shows.formats | t.formats
  FROM (SELECT show_id, bit_or(formats_of_station(station_id)) AS formats
    FROM (SELECT DISTINCT show_id, station_id FROM told) AS aired GROUP BY show_id) AS t
  WHERE shows.id = t.show_id AND shows.formats & t.formats <> t.formats;
  RETURN NULL;
END $$;
CREATE TRIGGER broadcasts_added AFTER INSERT ON broadcasts REFERENCING NEW TABLE AS told
FOR EACH STATEMENT EXECUTE FUNCTION keep_formats_of_stations();

CREATE FUNCTION keep_format_of_newest() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.formats := coalesce((SELECT format_bit(coalesce(format, 'mp3')) FROM topics
    WHERE shard = (NEW.topic_id & 1023)::smallint AND id = NEW.topic_id), 0);
  RETURN NEW;
END $$;
CREATE TRIGGER newest_topics_format BEFORE INSERT OR UPDATE OF topic_id ON newest_topics
FOR EACH ROW EXECUTE FUNCTION keep_format_of_newest();

-- The tables are held anyway, since all their rows were written; whoever lists shows waits, and stations are served from memory.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX shows_genre;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX shows_genre ON shows (genre_id, popularity DESC, id) INCLUDE (formats) WHERE listed;
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX shows_language;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX shows_language ON shows (language_id, popularity DESC, id) INCLUDE (formats) WHERE listed;
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX newest_topics_genre;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX newest_topics_genre ON newest_topics (genre_id, published_at DESC, show_id) INCLUDE (language_id, formats)
WHERE listed;
