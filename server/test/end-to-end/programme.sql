-- What the seeded stations send, and who listens: shows, topics, a schedule around now, an affiliate, a partner, two accounts.

INSERT INTO partners (id, name, serial_scope) VALUES ('kit', 'The conformance kit', 'kit');

INSERT INTO affiliates (id, name, name_key) VALUES (1, 'Coast Network', 'coastnetwork');
INSERT INTO station_affiliates (station_id, affiliate_id)
SELECT DISTINCT station_id, 1 FROM station_genres;

-- Every genre that has stations has shows, more of the commonest than one group holds.
INSERT INTO shows (id, title, hosts, description, genre_id, language_id, popularity)
SELECT row_number() OVER (ORDER BY n, genre_id), 'Show ' || n || ' of ' || name, 'Ann Host', 'An hour of ' || name, genre_id,
  (SELECT id FROM languages WHERE name = 'English'), 100 - n
FROM (SELECT DISTINCT genre_id, name FROM station_genres JOIN genres ON genres.id = genre_id) AS used
CROSS JOIN generate_series(1, 12) AS n;
SELECT setval(pg_get_serial_sequence('shows', 'id'), max(id)) FROM shows;

-- A topic's id is serial * 1024 + the shard of its show.
INSERT INTO topics (show_id, id, shard, title, description, address, topic_key, format, duration_seconds, published_at)
SELECT id, n * 1024 + (id & 1023), id & 1023, title || ', part ' || n, 'What was said',
  'http://media.example.net/' || id || '/' || n || '.mp3', gen_random_uuid(), 'mp3', 1800 + n, now() - n * interval '1 day'
FROM shows CROSS JOIN generate_series(1, 3) AS n;

INSERT INTO newest_topics (show_id, genre_id, language_id, listed, topic_id, title, stream_type, duration_seconds,
  published_at, words)
SELECT s.id, s.genre_id, s.language_id, s.listed, t.id, t.title, t.stream_type, t.duration_seconds, t.published_at,
  to_tsvector('simple', unaccent(t.title || ' ' || s.title))
FROM shows s JOIN topics t ON t.show_id = s.id AND t.id = 1024 + (s.id & 1023);

-- Two hours each, from two days ago to four days ahead, on the stations with an even number; one is on air at any time.
INSERT INTO broadcasts (station_id, starts_at, ends_at, show_id)
SELECT stations.id, slot, slot + interval '2 hours', 1 + (stations.id + extract(epoch FROM slot)::bigint / 7200) % 12
FROM stations
CROSS JOIN generate_series(date_trunc('day', now()) - interval '2 days', now() + interval '4 days', interval '2 hours') AS slot
WHERE stations.id % 2 = 0;

INSERT INTO accounts (id, username, password_hash, latitude, longitude, zone)
VALUES (1, 'ann', 'none', 51.9, -8.5, 'Europe/Dublin'), (2, 'bob', 'none', 51.5, -0.1, 'Europe/London');
INSERT INTO usernames (username_key, account_id) VALUES ('ann', 1), ('bob', 2);
INSERT INTO folders (account_id, id, name, is_default, position)
VALUES (1, 1025, 'General', true, 1), (2, 1026, 'General', true, 1), (2, 2050, 'Kitchen', false, 2);
INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, address, label) VALUES
  (1, 1025, 1025, 1, 's', 1, NULL, NULL),
  (1, 2049, 1025, 2, 's', 2, NULL, NULL),
  (1, 3073, 1025, 3, 'p', 1, NULL, NULL),
  (1, 4097, 1025, 4, 'u', 4097, 'http://stream.example.net/mine', 'My stream'),
  (2, 1026, 1026, 1, 's', 1, NULL, NULL),
  (2, 2050, 2050, 1, 's', 2, NULL, NULL);
UPDATE folders SET last_position = (SELECT coalesce(max(position), 0) FROM presets
  WHERE presets.account_id = folders.account_id AND folder_id = folders.id);
UPDATE accounts SET preset_count = (SELECT count(*) FROM presets WHERE account_id = accounts.id),
  folder_count = (SELECT count(*) FROM folders WHERE account_id = accounts.id);
SELECT setval(pg_get_serial_sequence('accounts', 'id'), 1000), setval('folder_serials', 1000), setval('preset_serials', 1000);
