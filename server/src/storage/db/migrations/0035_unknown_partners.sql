-- Partner ids that called and are not registered, so that an operator sees which radio is refused. Servers count in memory and
-- write every few seconds; of more than a thousand ids, those seen longest ago are removed.
CREATE TABLE unknown_partners (
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  calls bigint NOT NULL CHECK (calls > 0),
  first_seen timestamptz NOT NULL,
  last_seen timestamptz NOT NULL,
  profile text NOT NULL CHECK (length(profile) <= 40),
  agent text NOT NULL CHECK (length(agent) <= 40),
  CHECK (first_seen <= last_seen)
);
CREATE INDEX unknown_partners_newest ON unknown_partners (last_seen DESC, id DESC);
