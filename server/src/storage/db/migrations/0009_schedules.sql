-- Where a station's broadcasts come from, and the rules by which they go on.

-- The shows of a station by title as it is compared, so that a show keeps its id however often a schedule is read.
CREATE TABLE station_shows (
  station_id bigint NOT NULL REFERENCES stations (id),
  title_key text NOT NULL CHECK (length(title_key) BETWEEN 1 AND 300),
  show_id bigint NOT NULL REFERENCES shows (id),
  PRIMARY KEY (station_id, title_key)
);

CREATE TABLE schedules (
  station_id bigint PRIMARY KEY REFERENCES stations (id),
  format text NOT NULL CHECK (length(format) <= 20),
  read_at timestamptz NOT NULL,
  -- Until when the rules have become broadcasts; of a schedule without rules, nothing.
  rules_until timestamptz
);
CREATE INDEX schedules_due ON schedules (rules_until) WHERE rules_until IS NOT NULL;

-- Times are by the clock of a zone, which a timestamptz cannot hold: that of next summer is not known for certain.
CREATE TABLE schedule_rules (
  station_id bigint NOT NULL REFERENCES stations (id),
  position integer NOT NULL CHECK (position BETWEEN 1 AND 2000),
  show_id bigint NOT NULL REFERENCES shows (id),
  zone text NOT NULL CHECK (length(zone) BETWEEN 1 AND 100),
  starts text NOT NULL CHECK (starts ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}'),
  length_seconds integer CHECK (length_seconds BETWEEN 1 AND 172800),
  -- An RRULE; without one it happens once.
  recurrence text CHECK (length(recurrence) <= 1000),
  -- Starts, or whole days, on which it does not.
  except_starts text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (station_id, position)
);
