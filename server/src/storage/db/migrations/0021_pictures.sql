-- The pictures of items as radios can show them. `images` says where a picture comes from and imports write it; what
-- was fetched from there, and when to look again, is here and written by a job.

-- One for each content that was fetched, however many items show it.
CREATE TABLE pictures (
  -- Of the bytes as they were fetched.
  digest uuid PRIMARY KEY,
  -- As it was fetched, in pixels.
  width integer NOT NULL CHECK (width BETWEEN 1 AND 100000),
  height integer NOT NULL CHECK (height BETWEEN 1 AND 100000),
  made_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE picture_sizes (
  digest uuid NOT NULL REFERENCES pictures (digest) ON DELETE CASCADE,
  size text NOT NULL CHECK (size IN ('t', 'q', 'd', 'g')),
  kind text NOT NULL CHECK (kind IN ('png', 'jpg')),
  bytes bytea NOT NULL CHECK (length(bytes) BETWEEN 1 AND 2097152),
  PRIMARY KEY (digest, size, kind)
);
-- They are compressed already.
ALTER TABLE picture_sizes ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE image_checks (
  kind text NOT NULL,
  item_id bigint NOT NULL,
  host text NOT NULL CHECK (length(host) <= 2048),
  next_due_at timestamptz NOT NULL,
  -- How often in a row its host had no room for it.
  put_off smallint NOT NULL DEFAULT 0 CHECK (put_off >= 0),
  checked_at timestamptz,
  etag text CHECK (length(etag) <= 1024),
  last_modified text CHECK (length(last_modified) <= 100),
  failures smallint NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- Why there is no picture, or no newer one, in words for a person.
  trouble text CHECK (length(trouble) <= 300),
  -- What is shown; kept while its address is in trouble, and until a new address has given another.
  digest uuid REFERENCES pictures (digest),
  PRIMARY KEY (kind, item_id),
  FOREIGN KEY (kind, item_id) REFERENCES images (kind, item_id) ON DELETE CASCADE
);
CREATE INDEX image_checks_due ON image_checks (next_due_at);
CREATE INDEX image_checks_digest ON image_checks (digest) WHERE digest IS NOT NULL;

-- A new address is due at once. What many listen to counts as longer due, and so comes first.
CREATE FUNCTION images_are_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO image_checks AS c (kind, item_id, host, next_due_at)
  SELECT n.kind, n.item_id, coalesce(host_of(n.address), ''),
    now() - make_interval(secs => coalesce(s.popularity, p.popularity, 0))
  FROM new_images n
  LEFT JOIN stations s ON n.kind = 's' AND s.id = n.item_id
  LEFT JOIN shows p ON n.kind = 'p' AND p.id = n.item_id
  ON CONFLICT (kind, item_id) DO UPDATE SET host = excluded.host, next_due_at = excluded.next_due_at, put_off = 0,
    etag = NULL, last_modified = NULL, failures = 0, trouble = NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER images_added AFTER INSERT ON images
  REFERENCING NEW TABLE AS new_images FOR EACH STATEMENT EXECUTE FUNCTION images_are_due();
CREATE TRIGGER images_changed AFTER UPDATE ON images
  REFERENCING NEW TABLE AS new_images FOR EACH STATEMENT EXECUTE FUNCTION images_are_due();

INSERT INTO image_checks (kind, item_id, host, next_due_at)
SELECT i.kind, i.item_id, coalesce(host_of(i.address), ''), now() - make_interval(secs => coalesce(s.popularity, p.popularity, 0))
FROM images i
LEFT JOIN stations s ON i.kind = 's' AND s.id = i.item_id
LEFT JOIN shows p ON i.kind = 'p' AND p.id = i.item_id;
