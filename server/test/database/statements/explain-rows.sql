-- A world large enough that reading a table whole is never the cheapest plan. Ids are dense, so that sample parameters
-- name rows that are there. Foreign keys are dropped: they are not what is looked at, and checking them takes time.
DO $$ DECLARE link record; BEGIN
  FOR link IN SELECT conrelid::regclass AS child, conname FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', link.child, link.conname);
  END LOOP;
END $$;

INSERT INTO regions (id, parent_id, kind, code, name) VALUES (0, NULL, 'root', 'root', 'World');
INSERT INTO regions (id, parent_id, kind, code, name)
SELECT n, CASE WHEN n <= 250 THEN 0 ELSE 1 + n % 250 END, CASE WHEN n <= 250 THEN 'country' ELSE 'city' END, 'code:' || n,
  'Place ' || n
FROM generate_series(1, 100250) n;
INSERT INTO countries (id, code, name, region_id)
SELECT n, chr(65 + (n - 1) / 26) || chr(65 + (n - 1) % 26), 'Place ' || n, n FROM generate_series(1, 250) n;
INSERT INTO cities (id, country_id, name_key, other_name_keys, population, zone)
SELECT n, 1 + n % 250, 'place ' || n % 20000, ARRAY['other ' || n, 'third ' || n], n % 99991, 'UTC'
FROM generate_series(251, 100250) n;
INSERT INTO postal_codes (country_id, code, city, region_id, latitude, longitude, zone)
SELECT 1 + n % 2, lpad((n / 2)::text, 5, '0'), 'Place', 251 + n, 0, 0, 'UTC' FROM generate_series(0, 99999) n;
INSERT INTO languages (id, code, name)
SELECT n, chr(97 + (n - 1) / 26) || chr(97 + (n - 1) % 26), 'Language ' || n FROM generate_series(1, 200) n;
INSERT INTO genres (id, parent_id, slug, name, position)
SELECT n, nullif((n - 1) / 10, 0), 'genre-' || n, 'Genre ' || n, n FROM generate_series(1, 300) n;

INSERT INTO stations (id, name, name_key, homepage, country_id, region_id, latitude, longitude, popularity)
SELECT n, 'Station ' || n, 'station ' || n % 80000, 'https://station' || n || '.example/', 1 + n % 250,
  251 + n * 7919::bigint % 100000, n % 90, n % 180, n * 7919::bigint % 100003
FROM generate_series(1, 100000) n;
INSERT INTO streams (id, station_id, address, address_key, resolved_key, format, bitrate, reliability)
SELECT n, 1 + n % 100000, 'http://stream.example/' || n, lpad(n::text, 32, '0')::uuid,
  CASE WHEN n % 3 = 0 THEN lpad(n::text, 32, 'f')::uuid END, 'mp3', 128, n % 100
FROM generate_series(1, 150000) n;
INSERT INTO stream_checks (stream_id, host, next_due_at, checked_at, verdict, standing, standing_at, resolved_address, changed_at)
SELECT n, 'host' || n % 20000 || '.example', timestamptz '2026-01-01 00:00Z' + n * interval '1 second', '2026-01-01 00:00Z', 'plays',
  75, '2026-01-01 00:00Z', CASE WHEN n % 10 = 0 THEN 'http://entry.example/' || n END,
  CASE WHEN n % 2 = 0 THEN timestamptz '2026-01-01 00:00Z' + n * interval '1 second' END
FROM generate_series(1, 150000) n;
INSERT INTO station_genres (station_id, genre_id, position)
SELECT 1 + n / 2, 1 + (n / 2 * 13 + n % 2) % 300, 1 + n % 2 FROM generate_series(0, 199999) n;
INSERT INTO station_languages (station_id, language_id, position)
SELECT n, 1 + n % 200, 1 FROM generate_series(1, 100000) n;
INSERT INTO affiliates (id, name, name_key) SELECT n, 'Network ' || n, 'network ' || n FROM generate_series(1, 2000) n;
INSERT INTO station_affiliates (station_id, affiliate_id) SELECT n, 1 + n % 2000 FROM generate_series(1, 100000) n;
INSERT INTO station_records (source, record, station_id, stream_id, digest, facts)
SELECT 'source', 'record ' || n, n, n, lpad(n::text, 32, '0')::uuid, '{}' FROM generate_series(1, 100000) n;
INSERT INTO absent_records (source, record, absent_since, withdrawn_at)
SELECT 'source', 'record ' || n, '2026-01-01 00:00Z', CASE WHEN n % 2 = 0 THEN timestamptz '2026-02-01 00:00Z' END
FROM generate_series(1, 100000) n;
INSERT INTO aliases (scheme, foreign_id, kind, item_id)
SELECT 'elsewhere', 'foreign ' || n, 's', n FROM generate_series(1, 100000) n;
INSERT INTO images (kind, item_id, address)
SELECT 's', n, 'https://logo.example/' || n FROM generate_series(1, 100000) n;
INSERT INTO pictures (digest, width, height) SELECT lpad(n::text, 32, '0')::uuid, 600, 600 FROM generate_series(1, 100000) n;
INSERT INTO picture_sizes (digest, size, kind, bytes)
SELECT lpad(n::text, 32, '0')::uuid, 'q', k, '\x00' FROM generate_series(1, 100000) n, unnest('{png,jpg}'::text[]) k;
UPDATE image_checks SET digest = lpad(item_id::text, 32, '0')::uuid;

INSERT INTO shows (id, title, feed_key, language_id, genre_id, popularity)
SELECT n, 'Show ' || n, lpad(n::text, 32, '0')::uuid, 1 + n % 200, 1 + n % 300, n * 7919::bigint % 100003
FROM generate_series(1, 100000) n;
INSERT INTO station_shows (station_id, title_key, show_id) SELECT n, 'title ' || n, n FROM generate_series(1, 100000) n;
INSERT INTO schedules (station_id, format, read_at, rules_until)
SELECT n, 'csv', '2026-01-01T00:00Z', '2026-01-01T00:00Z'::timestamptz + n * interval '1 minute'
FROM generate_series(1, 100000) n;
INSERT INTO schedule_rules (station_id, position, show_id, zone, starts, length_seconds, recurrence)
SELECT 1 + n / 10, 1 + n % 10, n, 'UTC', '2026-01-01T06:00', 3600, 'FREQ=DAILY' FROM generate_series(0, 99999) n;
INSERT INTO schedule_addresses (station_id, address, next_due_at)
SELECT n, 'https://address.example/' || n, timestamptz '2026-01-01 00:00Z' + n * interval '1 second'
FROM generate_series(1, 100000) n;
INSERT INTO feeds (show_id, next_due_at) SELECT n, timestamptz '2026-01-01 00:00Z' + n * interval '1 second'
FROM generate_series(1, 100000) n;
INSERT INTO feed_hubs (show_id, hub, topic, key, next_due_at)
SELECT n, 'https://hub.example/', 'https://feed.example/' || n, decode(lpad(to_hex(n), 64, '0'), 'hex'),
  timestamptz '2026-01-01 00:00Z' + n * interval '1 second'
FROM generate_series(1, 100000) n;
INSERT INTO topics (show_id, id, shard, title, address, topic_key, published_at)
SELECT s, (s * 100::bigint + n) * 1024 + s % 1024, s % 1024, 'Topic ' || n, 'http://topic.example/' || n,
  lpad(n::text, 32, '0')::uuid, timestamptz '2026-01-01 00:00Z' + n * interval '1 day'
FROM generate_series(1, 2048) s, generate_series(0, 99) n;
INSERT INTO newest_topics (show_id, genre_id, language_id, listed, topic_id, title, stream_type, published_at, words)
SELECT n, 1 + n % 300, 1 + n % 200, true, (n * 100::bigint + 1) * 1024 + n % 1024, 'Topic', 'download',
  timestamptz '2026-01-01 00:00Z' + n * interval '1 minute',
  array_to_tsvector(ARRAY['topic', 'show', 'number' || n % 50, 'word' || n])
FROM generate_series(1, 100000) n;
INSERT INTO broadcasts (station_id, starts_at, ends_at, show_id)
SELECT s, timestamptz '2026-01-01 00:00Z' + n * interval '1 hour', timestamptz '2026-01-01 01:00Z' + n * interval '1 hour',
  1 + (s * 200 + n) % 5000
FROM generate_series(1, 500) s, generate_series(0, 199) n;
INSERT INTO station_songs (station_id, started_at, artist, title)
SELECT s, timestamptz '2026-01-01 00:00Z' + n * interval '4 minutes', 'Artist ' || n, 'Song ' || n
FROM generate_series(1, 1000) s, generate_series(0, 99) n;
INSERT INTO station_keys (station_id, key_hash, name)
SELECT n, decode(lpad(to_hex(n), 64, '0'), 'hex'), 'studio' FROM generate_series(1, 100000) n;

INSERT INTO partners (id, name, serial_scope) SELECT 'partner-' || n, 'Partner', 'scope' FROM generate_series(1, 50) n;
INSERT INTO accounts (id, username, password_hash, folder_count, preset_count)
SELECT n, 'user' || n, 'hash', 1, CASE WHEN n <= 10000 THEN 30 ELSE 0 END FROM generate_series(1, 100000) n;
INSERT INTO usernames (username_key, account_id) SELECT 'user' || n, n FROM generate_series(1, 100000) n;
INSERT INTO emails (email_key, account_id) SELECT 'user' || n || '@mail.example', n FROM generate_series(1, 100000) n;
INSERT INTO devices (scope, serial_hash, account_id)
SELECT 'scope', decode(lpad(to_hex(n), 64, '0'), 'hex'), n FROM generate_series(1, 100000) n;
INSERT INTO account_devices (account_id, scope, serial_hash, dropped_at)
SELECT n, 'scope', decode(lpad(to_hex(n), 64, '0'), 'hex'),
  CASE WHEN n % 10 = 0 THEN timestamptz '2026-01-01 00:00Z' + n * interval '1 second' END
FROM generate_series(1, 100000) n;
INSERT INTO site_sessions (token_hash, account_id, created_at, seen_at, expires_at)
SELECT decode(lpad(to_hex(n), 64, '0'), 'hex'), 1 + n / 2, '2026-01-01 00:00Z', '2026-01-01 00:00Z',
  timestamptz '2026-01-01 00:00Z' + n * interval '1 second'
FROM generate_series(1, 100000) n;
INSERT INTO app_passwords (secret_hash, account_id, app, sealed, key_version)
SELECT decode(lpad(to_hex(n), 64, '0'), 'hex'), n, 'phone', '\x00', 1 FROM generate_series(1, 100000) n;
INSERT INTO app_devices (account_id, device, caption, kind) SELECT n, 'phone', '', 'mobile' FROM generate_series(1, 100000) n;
INSERT INTO feed_subscriptions (account_id, feed_key, address, show_id, is_removed, serial)
SELECT 1 + n / 2, lpad(to_hex(n), 32, '0')::uuid, 'http://feed.example/' || n, n, n % 3 = 0, n FROM generate_series(1, 100000) n;
INSERT INTO episode_actions (account_id, episode_key, device, action, podcast, episode, serial)
SELECT 1 + n / 2, lpad(to_hex(n), 32, '0')::uuid, 'phone', 'play', 'http://feed.example/', 'http://feed.example/' || n, n
FROM generate_series(1, 100000) n;
INSERT INTO list_tokens (token_hash, account_id)
SELECT decode(lpad(to_hex(n), 64, '0'), 'hex'), n FROM generate_series(1, 100000) n;
INSERT INTO known_networks (account_id, network_hash)
SELECT n, decode(lpad(to_hex(n), 64, '0'), 'hex') FROM generate_series(1, 100000) n;
INSERT INTO device_claims (code_hash, scope, serial_hash, expires_at)
SELECT decode(lpad(to_hex(n), 64, '0'), 'hex'), 'scope', decode(lpad(to_hex(n), 64, '0'), 'hex'),
  timestamptz '2026-01-01 00:00Z' + n * interval '1 second'
FROM generate_series(1, 100000) n;
INSERT INTO folders (account_id, id, name, is_default, position, last_position)
SELECT n, n * 1024::bigint + n % 1024, 'Favorites', true, 1, CASE WHEN n <= 10000 THEN 30 ELSE 0 END FROM generate_series(1, 100000) n;
INSERT INTO presets (account_id, id, folder_id, position, kind, item_id)
SELECT a, (a * 30::bigint + n) * 1024 + a % 1024, a * 1024::bigint + a % 1024, n, 's', a + n
FROM generate_series(1, 10000) a, generate_series(1, 30) n;

INSERT INTO reports (kind, item_kind, item_id, dedupe_key, state, last_at)
SELECT 'stream', 's', n, lpad(n::text, 32, '0')::uuid, CASE WHEN n % 10 = 0 THEN 'open' ELSE 'settled' END,
  timestamptz '2026-01-01 00:00Z' + n * interval '1 minute'
FROM generate_series(1, 100000) n;

INSERT INTO counted_reports (stream_id, is_good, reporter, said_at)
SELECT 1 + n / 4, n % 8 = 0, decode(lpad(to_hex(n), 64, '0'), 'hex'),
  timestamptz '2026-01-01 00:00Z' + n * interval '10 seconds'
FROM generate_series(0, 99999) n;

INSERT INTO search_documents (kind, item_id, name_key, words, popularity, tier)
SELECT kind, n, CASE kind WHEN 's' THEN 'station' ELSE 'title' END || n,
  to_tsvector('simple', 'word' || n % 20000 || ' other' || n % 300), 100001 - n,
  CASE WHEN n <= 600 THEN 1 WHEN n <= 4000 THEN 2 WHEN n <= 25000 THEN 3 ELSE 4 END
FROM generate_series(1, 100000) n, unnest(ARRAY['s', 'p']) AS kind;
UPDATE search_tiers SET least = '{99402,96002,75002}';
INSERT INTO search_words (word) SELECT 'word' || n FROM generate_series(1, 100000) n;
INSERT INTO takedowns (id, why, who) SELECT n, 'a wish', 'ann' FROM generate_series(1, 300) n;
INSERT INTO takedown_entries (takedown_id, kind, key, country_id)
SELECT 1 + n % 300, CASE n % 2 WHEN 0 THEN 'name' ELSE 'stream' END, 'key ' || n, CASE WHEN n % 3 = 0 THEN 1 + n % 250 END
FROM generate_series(1, 100000) n;
INSERT INTO station_changes (id, station_id, other_station_id, action, before, after, who, takedown_id)
SELECT n, 1 + n % 50000, CASE WHEN n % 5 = 0 THEN n END, 'set', '{}', '{}', 'ann', CASE WHEN n % 4 = 0 THEN 1 + n % 300 END
FROM generate_series(1, 100000) n;
UPDATE stations SET pinned = '{name}' WHERE id % 500 = 0;
UPDATE stations SET merged_into = id + 1 WHERE id % 1000 = 0;
INSERT INTO relay_listening SELECT 1 + n % 50000, current_date - n % 90, 'DE', 1, 60 FROM generate_series(1, 100000) n;
TRUNCATE search_stale;
