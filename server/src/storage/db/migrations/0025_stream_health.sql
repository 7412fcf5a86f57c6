-- How a stream did on each of the last thirty days. Two bits a day, 1 for heard and 2 for silent, the lowest pair for
-- `health_day` (UTC): a month in eight bytes of the row that each check writes anyway. Days before this are unknown.
ALTER TABLE stream_checks
  ADD COLUMN health bigint NOT NULL DEFAULT 0,
  ADD COLUMN health_day date,
  -- When a check last heard nothing, and why in a line; it stays when the stream is heard again.
  ADD COLUMN failed_at timestamptz,
  ADD COLUMN failure text;

-- The health once another check is counted. Days of a clock that was set back since are forgotten.
CREATE FUNCTION health_after(health bigint, day date, today date, is_heard boolean) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN today - day BETWEEN 0 AND 29 THEN (health << (2 * (today - day))) & ((1::bigint << 60) - 1)
  WHEN day - today BETWEEN 1 AND 29 THEN health >> (2 * (day - today))
  ELSE 0
END | CASE WHEN is_heard THEN 1 ELSE 2 END;
