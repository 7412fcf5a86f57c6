-- What the seeded stations send, as a listener would find it: shows with topics, and a day of them around now.

INSERT INTO affiliates (id, name, name_key, homepage)
VALUES (1, 'Quayside Network', 'quayside network', 'https://quayside.example.net/');
INSERT INTO station_affiliates (station_id, affiliate_id) SELECT id, 1 FROM stations WHERE id <= 3;

INSERT INTO shows (id, title, hosts, description, language_id, genre_id, popularity)
SELECT 100 + n, title, hosts, description, (SELECT id FROM languages WHERE code = language),
  (SELECT id FROM genres WHERE slug = genre), 100 - n
FROM (VALUES
  (1, 'The Morning Boat', 'Aoife Tide', 'News, weather and music for those who are up before the harbour is.', 'en', 'folk'),
  (2, 'Low Water', 'Cian Quay', 'Slow songs for the slack of the day, and the stories of who wrote them.', 'en', 'folk'),
  (3, 'Kitchen Session', 'Méabh and Tom', 'Four musicians, one table, no second take.', 'en', 'folk'),
  (4, 'The Long Reel', NULL, 'Fiddles, flutes and the people who carry them from parish to parish.', 'en', 'folk'),
  (5, 'Letters from the Pier', 'Nora Lane', 'You write, we read, and somebody always knows the song.', 'en', 'folk'),
  (6, 'Harbour Desk', 'Kim Strand', 'What happened today on land and water, in twenty minutes.', 'en', 'news'),
  (7, 'Tief im Wald', 'Jule Brandt', 'Was im Laub raschelt, was darüber singt, und wer ihm zuhört.', 'de', 'news'),
  (8, 'ليالي الميناء', NULL, 'موسيقى هادئة حتى منتصف الليل.', 'ar', 'folk')
) AS told (n, title, hosts, description, language, genre);

INSERT INTO topics (show_id, id, shard, title, description, address, topic_key, format, duration_seconds, published_at)
SELECT shows.id, n * 1024 + shows.id, shows.id, subject || CASE WHEN n > 7 THEN ', told again' ELSE '' END,
  'Recorded at the harbour wall, with the wind left in.', 'http://stream.example.net/topics/' || shows.id || '-' || n || '.mp3',
  md5(shows.id || '-' || n)::uuid, 'mp3', 900 + 137 * n, now() - n * interval '7 days' - shows.id * interval '1 hour'
FROM shows CROSS JOIN generate_series(1, 40) AS n
JOIN (VALUES (0, 'The Bridge Opens'), (1, 'A Boat without a Name'), (2, 'Three Winters'), (3, 'What the Lighthouse Saw'),
  (4, 'The Ferryman''s Daughter'), (5, 'Salt and Rosin'), (6, 'Last Bus to the Strand')) AS subjects (at, subject) ON at = n % 7
WHERE shows.id <= 107;
INSERT INTO newest_topics (show_id, genre_id, language_id, listed, topic_id, title, stream_type, duration_seconds,
  published_at, words)
SELECT DISTINCT ON (s.id) s.id, s.genre_id, s.language_id, s.listed, t.id, t.title, t.stream_type, t.duration_seconds,
  t.published_at, to_tsvector('simple', unaccent(t.title || ' ' || s.title))
FROM shows s JOIN topics t ON t.show_id = s.id ORDER BY s.id, t.published_at DESC, t.id DESC;

INSERT INTO broadcasts (station_id, starts_at, ends_at, show_id)
SELECT station, slot, slot + interval '2 hours', 101 + (extract(epoch FROM slot)::bigint / 7200 + station) % 6
FROM generate_series(1, 3) AS station
CROSS JOIN generate_series(date_trunc('day', now()) - interval '1 day', now() + interval '3 days', interval '2 hours') AS slot;
