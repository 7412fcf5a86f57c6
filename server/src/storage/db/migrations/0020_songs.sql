-- What stations played lately: what a listener heard before, and what may still play after a restart. Bounded by a timed
-- job to some songs and some days of each station.
CREATE TABLE station_songs (
  station_id bigint NOT NULL REFERENCES stations (id) ON DELETE CASCADE,
  started_at timestamptz NOT NULL,
  artist text CHECK (length(artist) BETWEEN 1 AND 300),
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 300),
  album text CHECK (length(album) BETWEEN 1 AND 300),
  PRIMARY KEY (station_id, started_at)
);

-- With what a broadcaster may tell what its station plays. Several of a station, so that one can follow another without a
-- gap. A key is random and long, so that a plain hash of it is enough; the key itself is nowhere.
CREATE TABLE station_keys (
  station_id bigint NOT NULL REFERENCES stations (id) ON DELETE CASCADE,
  key_hash bytea NOT NULL CHECK (length(key_hash) = 32),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- To the hour: which keys nobody uses any more.
  last_used_at timestamptz,
  PRIMARY KEY (station_id, key_hash)
);
