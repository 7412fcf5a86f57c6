-- What the fictional directory has beside its stations: networks, shows, topics, a schedule, an account with presets.
-- Ids of shows, topics, folders and presets hold their shard, as in life.

INSERT INTO affiliates (id, name, name_key, homepage)
VALUES (1, 'Quayside Network', 'quayside network', 'https://quayside.example.net/');
INSERT INTO station_affiliates (station_id, affiliate_id) SELECT id, 1 FROM stations WHERE id <= 3;

INSERT INTO shows (id, title, hosts, description, language_id, genre_id, popularity)
SELECT 100 + n, 'Evening ' || n, CASE WHEN n % 2 = 0 THEN 'Ann and Bo' END, 'An hour of old songs, number ' || n,
  (SELECT id FROM languages WHERE code = 'en'), (SELECT id FROM genres WHERE slug = 'folk'), 100 - n
FROM generate_series(1, 12) n;
INSERT INTO shows (id, title, hosts, language_id, genre_id, popularity) VALUES
  (120, 'Morning Desk', 'Kim', (SELECT id FROM languages WHERE code = 'en'), (SELECT id FROM genres WHERE slug = 'news'), 50),
  (121, 'Tief im Wald', NULL, (SELECT id FROM languages WHERE code = 'de'), (SELECT id FROM genres WHERE slug = 'news'), 40);
INSERT INTO shows (id, title, genre_id, listed)
VALUES (122, 'Withdrawn', (SELECT id FROM genres WHERE slug = 'news'), false);

INSERT INTO topics (show_id, id, shard, title, address, topic_key, duration_seconds, published_at)
SELECT 101, n * 1024 + 101, 101, 'Topic ' || n, 'http://topic.example.net/' || n || '.mp3', lpad(n::text, 32, '0')::uuid,
  60 * n, timestamptz '2026-01-01 06:00Z' + n * interval '1 day'
FROM generate_series(1, 60) n;

INSERT INTO topics (show_id, id, shard, title, address, topic_key, duration_seconds, published_at) VALUES
  (120, 1024 + 120, 120, 'The Bridge Opens', 'http://topic.example.net/bridge.mp3', lpad('61', 32, '0')::uuid, 900,
    '2026-03-28 05:00Z'),
  (121, 1024 + 121, 121, 'Der Käfer im Laub', 'http://topic.example.net/kaefer.mp3', lpad('62', 32, '0')::uuid, 1200,
    '2026-03-27 05:00Z'),
  (122, 1024 + 122, 122, 'Never Mind', 'http://topic.example.net/never.mp3', lpad('63', 32, '0')::uuid, 60,
    '2026-03-28 06:00Z');
INSERT INTO newest_topics (show_id, genre_id, language_id, listed, topic_id, title, stream_type, duration_seconds,
  published_at, words)
SELECT DISTINCT ON (s.id) s.id, s.genre_id, s.language_id, s.listed, t.id, t.title, t.stream_type, t.duration_seconds,
  t.published_at, to_tsvector('simple', unaccent(t.title || ' ' || s.title))
FROM shows s JOIN topics t ON t.show_id = s.id ORDER BY s.id, t.published_at DESC, t.id DESC;

-- From midnight to midnight in hours, and one over midnight.
INSERT INTO broadcasts (station_id, starts_at, ends_at, show_id)
SELECT 1, timestamptz '2026-03-28 00:00Z' + n * interval '1 hour', timestamptz '2026-03-28 01:00Z' + n * interval '1 hour',
  101 + n % 12
FROM generate_series(0, 95) n;
INSERT INTO broadcasts (station_id, starts_at, ends_at, show_id)
VALUES (2, '2026-03-28 23:00Z', '2026-03-29 01:30Z', 120);

INSERT INTO accounts (id, username, password_hash, latitude, longitude, region_id, zone, readable_by_name) VALUES
  (7, 'Ann', 'secret', 53.55, 9.99, NULL, 'Europe/Berlin', true),
  (9, 'Shy', 'secret', 53.55, 9.99, NULL, 'Europe/Berlin', false),
  (10, 'Kim', 'secret', NULL, NULL, NULL, NULL, true);
INSERT INTO accounts (id, username, password_hash, region_id) SELECT 8, 'Bo', 'secret', id FROM regions WHERE code = 'country:DE';
INSERT INTO usernames VALUES ('ann', 7), ('bo', 8), ('shy', 9), ('kim', 10);
INSERT INTO folders (account_id, id, name, is_default, position) VALUES
  (7, 1024 + 7, 'General', true, 1), (7, 2 * 1024 + 7, 'Küche & Bad', false, 2), (7, 3 * 1024 + 7, 'Empty one', false, 3),
  (8, 1024 + 8, 'General', true, 1), (9, 1024 + 9, 'General', true, 1);
INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, address, label) VALUES
  (7, 1024 + 7, 1024 + 7, 1, 's', 1, NULL, NULL),
  (7, 2 * 1024 + 7, 1024 + 7, 2, 'p', 101, NULL, NULL),
  (7, 3 * 1024 + 7, 1024 + 7, 4, 'u', 3 * 1024 + 7, 'http://stream.example.net/mine?x=1', 'My stream'),
  (7, 4 * 1024 + 7, 2 * 1024 + 7, 1, 's', 999999, NULL, 'Gone FM'),
  (8, 1024 + 8, 1024 + 8, 1, 's', 2, NULL, NULL),
  (9, 1024 + 9, 1024 + 9, 1, 's', 3, NULL, NULL);
UPDATE folders SET last_position = (SELECT coalesce(max(position), 0) FROM presets
  WHERE presets.account_id = folders.account_id AND folder_id = folders.id);
UPDATE accounts SET preset_count = (SELECT count(*) FROM presets WHERE account_id = accounts.id),
  folder_count = (SELECT count(*) FROM folders WHERE account_id = accounts.id);
INSERT INTO partners (id, name, serial_scope) VALUES ('maker', 'A maker', 'maker');
INSERT INTO partners (id, name, serial_scope, stations_per_group, shows_per_group)
VALUES ('small', 'A maker of small radios', 'small', 4, 2);
INSERT INTO aliases (scheme, foreign_id, kind, item_id) VALUES ('elsewhere', 's424242', 's', 1), ('elsewhere', 'g77', 'g', 1005);

-- Some are heard less often than others.
UPDATE streams SET reliability = 60 WHERE station_id % 7 = 0;

-- A station of which nobody knows anything but where it is heard.
INSERT INTO stations (id, name, name_key) VALUES (1000, '5 O''Clock Radio', '5 o clock radio');
INSERT INTO streams (station_id, address, address_key, format, bitrate, reliability)
VALUES (1000, 'http://stream.example.net/nowhere', '00000000-0000-0000-0000-00000000abcd', 'mp3', 64, 60);

-- All came at once but two: one some weeks later, and one an hour after that which few listen to.
UPDATE stations SET created_at = '2026-01-05T08:10:00Z';
UPDATE stations SET created_at = '2026-02-01T09:50:00Z' WHERE id = 10;
UPDATE stations SET created_at = '2026-02-01T10:10:00Z' WHERE id = 9;
