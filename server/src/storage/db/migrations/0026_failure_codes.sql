-- Why a check last heard nothing, in one of the words of `lib/failure-code.ts`: `failure` says it in English, and whoever
-- reads another language is told by this. Null where it was written down before there were codes.
ALTER TABLE stream_checks ADD COLUMN failure_code text;

-- A check that was kept out (`is_heard` null) says nothing of its day.
CREATE OR REPLACE FUNCTION health_after(health bigint, day date, today date, is_heard boolean) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN today - day BETWEEN 0 AND 29 THEN (health << (2 * (today - day))) & ((1::bigint << 60) - 1)
  WHEN day - today BETWEEN 1 AND 29 THEN health >> (2 * (day - today))
  ELSE 0
END | CASE WHEN is_heard THEN 1 WHEN NOT is_heard THEN 2 ELSE 0 END;
