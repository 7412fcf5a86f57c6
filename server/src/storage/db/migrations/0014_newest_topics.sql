-- The newest topic of each show (docs/adr/0012): what a genre has new, and what is found by the words of a topic. Apart
-- from `shows`, whose rows are wide and rarely written, while this one changes with each new topic; and with all that a
-- menu tells of a topic, so that a page of many shows reads one table and not sixteen partitions. What belongs to the
-- show follows it by a trigger.
CREATE TABLE newest_topics (
  show_id bigint PRIMARY KEY REFERENCES shows (id) ON DELETE CASCADE,
  genre_id bigint,
  language_id bigint,
  listed boolean NOT NULL,
  topic_id bigint NOT NULL,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 500),
  stream_type text NOT NULL,
  duration_seconds integer,
  published_at timestamptz NOT NULL,
  -- Of its title and its show's, as lib/search-words.ts parts them.
  words tsvector NOT NULL
);
-- With the language, so that a page is cut without reading the rows of all the others.
CREATE INDEX newest_topics_genre ON newest_topics (genre_id, published_at DESC, show_id) INCLUDE (language_id)
WHERE listed;
CREATE INDEX newest_topics_published ON newest_topics (published_at DESC, show_id) WHERE listed;
CREATE INDEX newest_topics_words ON newest_topics USING gin (words) WHERE listed;

CREATE FUNCTION follow_show() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE newest_topics SET genre_id = NEW.genre_id, language_id = NEW.language_id, listed = NEW.listed
  WHERE show_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER shows_newest_topic AFTER UPDATE OF genre_id, language_id, listed ON shows FOR EACH ROW
WHEN ((OLD.genre_id, OLD.language_id, OLD.listed) IS DISTINCT FROM (NEW.genre_id, NEW.language_id, NEW.listed))
EXECUTE FUNCTION follow_show();

INSERT INTO newest_topics (show_id, genre_id, language_id, listed, topic_id, title, stream_type,
  duration_seconds, published_at, words)
SELECT s.id, s.genre_id, s.language_id, s.listed, t.id, t.title, t.stream_type, t.duration_seconds, t.published_at,
  to_tsvector('simple', unaccent(t.title || ' ' || s.title))
FROM shows s CROSS JOIN LATERAL (
  SELECT * FROM topics WHERE shard = s.id & 1023 AND show_id = s.id
  ORDER BY published_at DESC, id DESC LIMIT 1) AS t;
