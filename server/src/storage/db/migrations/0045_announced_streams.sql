-- Streams that Icecast servers announce (docs/yp.md). A row lives as long as its server touches it; what is listed of it is a
-- record of an import, which stays. Not a stream of the catalogue yet: nobody has heard it.
CREATE TABLE announced_streams (
  -- An address, or the /64 of an IPv6 address: one server has a row for each of its streams, and cannot replace another's.
  network text NOT NULL CHECK (length(network) BETWEEN 1 AND 64),
  address_key uuid NOT NULL,
  -- Of the session id that the server was given, by which it touches and removes.
  sid_hash bytea NOT NULL UNIQUE CHECK (length(sid_hash) = 32),
  caller text NOT NULL CHECK (length(caller) BETWEEN 1 AND 64),
  address text NOT NULL CHECK (length(address) <= 2048),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  genre text NOT NULL CHECK (length(genre) <= 200),
  homepage text CHECK (length(homepage) <= 500),
  content_type text CHECK (length(content_type) <= 100),
  bitrate integer NOT NULL CHECK (bitrate >= 0),
  song text CHECK (length(song) <= 256),
  listeners integer CHECK (listeners >= 0),
  announced_at timestamptz NOT NULL DEFAULT now(),
  touched_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  next_due_at timestamptz NOT NULL DEFAULT now(),
  failures smallint NOT NULL DEFAULT 0,
  heard_at timestamptz,
  -- What says that the announcement is the stream's own: it came from the stream's host, or the stream calls itself so.
  proof text CHECK (proof IN ('host', 'name')),
  -- Why it was not heard, or is not believed.
  problem text CHECK (length(problem) <= 500),
  imported boolean NOT NULL DEFAULT false,
  PRIMARY KEY (network, address_key)
);
CREATE INDEX announced_streams_due ON announced_streams (next_due_at);
CREATE INDEX announced_streams_expires ON announced_streams (expires_at);
