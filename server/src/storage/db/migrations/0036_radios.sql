-- What called lately, registered or not, so that an operator sees why a radio does not play. Servers keep the calls in memory and write
-- them every second; rows leave after KEEP_CALLS_HOURS, and those seen longest ago when there are more than a few hundred.
CREATE TABLE radios (
  -- Whole at home, without its last part where it is of the internet.
  address text NOT NULL CHECK (length(address) BETWEEN 1 AND 45),
  -- Empty for a caller that names none.
  partner_id text NOT NULL CHECK (length(partner_id) <= 64),
  -- The name of the program, without its version; often empty.
  agent text NOT NULL CHECK (length(agent) <= 40),
  profile text NOT NULL CHECK (length(profile) <= 40),
  seen_at timestamptz NOT NULL,
  -- The latest first.
  calls jsonb NOT NULL CHECK (jsonb_typeof(calls) = 'array' AND jsonb_array_length(calls) <= 20),
  PRIMARY KEY (address, partner_id, agent)
);
CREATE INDEX radios_newest ON radios (seen_at DESC);
