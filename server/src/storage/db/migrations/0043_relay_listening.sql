-- What was heard of a station through the relay (docs/relay.md), for the station itself: numbers alone, kept for 90 days.
CREATE TABLE relay_listening (
  station_id bigint NOT NULL REFERENCES stations ON DELETE CASCADE,
  day date NOT NULL,
  -- ISO 3166-1; empty where nobody knows.
  country text NOT NULL CHECK (country ~ '^([A-Z]{2})?$'),
  sessions bigint NOT NULL CHECK (sessions >= 0),
  seconds bigint NOT NULL CHECK (seconds >= 0),
  PRIMARY KEY (station_id, day, country)
);
CREATE INDEX relay_listening_day ON relay_listening (day);
