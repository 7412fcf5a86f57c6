-- Feeds are read politely: no more than two at once of a host, over all workers.

CREATE FUNCTION host_of(address text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT lower(substring(address FROM '^[a-zA-Z]+://([^/:?#]+)')) $$;

-- So that the feeds of a host can be told apart without reading the shows, whose rows are wide.
ALTER TABLE feeds ADD COLUMN host text;
UPDATE feeds SET host = host_of(shows.feed_address) FROM shows WHERE shows.id = feeds.show_id;
-- Why the last reading failed, in words for a person.
ALTER TABLE feeds ADD COLUMN trouble text CHECK (length(trouble) <= 300);
