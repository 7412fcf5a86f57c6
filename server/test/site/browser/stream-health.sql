-- A month of checks of the two streams of the first station, a letter a day: heard, mixed, silent, not known.
INSERT INTO stream_checks (stream_id, host, next_due_at, checked_at, alive_at, verdict, standing, standing_at, steps, health,
  health_day, failed_at, failure, failure_code)
SELECT c.stream_id, 'stream.example.net', now() + interval '1 day', now(), now() - c.heard_ago, c.verdict, c.standing, now(),
  jsonb_build_array(jsonb_build_object('what', 'audio', 'ms', 0, 'detail', c.failure)),
  (SELECT bit_or(position(letter IN 'hsm')::bigint << (2 * (30 - n::int4)))
   FROM string_to_table(c.days, NULL) WITH ORDINALITY AS d (letter, n)),
  (now() AT TIME ZONE 'UTC')::date, now() - c.silent_ago, c.failure, c.code
FROM (VALUES
  (1, 'plays', 92, '--hhhhhhhhhhmhhhhhhhhhhhhhshhh', interval '0', interval '3 days', 'nobody answers at stream.example.net', 'no_answer'),
  (2, 'dead', 12, '-----------hhhhh-hhhmms-s-s--s', interval '8 days', interval '0', '404 Not Found: the server does not have it', 'http_404')
) AS c (stream_id, verdict, standing, days, heard_ago, silent_ago, failure, code);
