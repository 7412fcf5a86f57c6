-- The ids of our stations and shows begin above every number that other directories gave: theirs have six and seven
-- digits, so a button saved as s24896 elsewhere must never mean our station of that number. What is already there is
-- renumbered once; its old numbers mean nothing any more, unless an alias gives them a meaning. 20,480,000 is a multiple of
-- 1,024, so every topic stays in its shard, and devices that keep a number in 31 bits have room for two billion more.
SET LOCAL statement_timeout = 0;

DO $$
DECLARE
  above CONSTANT bigint := 20480000;
  reference record;
  target record;
BEGIN
  -- References are dropped and made again below: they would be checked row by row in between.
  CREATE TEMPORARY TABLE dropped_references ON COMMIT DROP AS
    SELECT conrelid::regclass::text AS table_name, conname, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint
    WHERE contype = 'f' AND conparentid = 0 AND confrelid IN ('stations'::regclass, 'shows'::regclass, 'images'::regclass);
  FOR reference IN SELECT * FROM dropped_references LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', reference.table_name, reference.conname);
  END LOOP;
  FOR target IN
    SELECT * FROM (VALUES
      ('stations', 'id', NULL), ('shows', 'id', NULL),
      ('streams', 'station_id', NULL), ('station_records', 'station_id', NULL), ('station_genres', 'station_id', NULL),
      ('station_languages', 'station_id', NULL), ('station_affiliates', 'station_id', NULL),
      ('station_keys', 'station_id', NULL), ('station_songs', 'station_id', NULL), ('station_shows', 'station_id', NULL),
      ('station_shows', 'show_id', NULL), ('schedules', 'station_id', NULL), ('schedule_addresses', 'station_id', NULL),
      ('schedule_rules', 'station_id', NULL), ('schedule_rules', 'show_id', NULL), ('broadcasts', 'station_id', NULL),
      ('broadcasts', 'show_id', NULL), ('feeds', 'show_id', NULL), ('feed_hubs', 'show_id', NULL),
      ('newest_topics', 'show_id', NULL), ('topics', 'show_id', NULL),
      ('aliases', 'item_id', 'kind'), ('images', 'item_id', 'kind'), ('image_checks', 'item_id', 'kind'),
      ('presets', 'item_id', 'kind'), ('reports', 'item_id', 'item_kind'), ('search_documents', 'item_id', 'kind'),
      ('search_stale', 'item_id', 'kind')
    ) AS renumbered (table_name, column_name, kind_column)
  LOOP
    EXECUTE format('ALTER TABLE %I DISABLE TRIGGER USER', target.table_name);
    EXECUTE format('UPDATE %1$I SET %2$I = %2$I + %3$s WHERE %2$I < %3$s', target.table_name, target.column_name, above)
      || CASE WHEN target.kind_column IS NULL THEN '' ELSE format(' AND %I IN (''s'', ''p'')', target.kind_column) END;
    EXECUTE format('ALTER TABLE %I ENABLE TRIGGER USER', target.table_name);
  END LOOP;
  FOR reference IN SELECT * FROM dropped_references LOOP
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', reference.table_name, reference.conname, reference.definition);
  END LOOP;
  PERFORM setval('stations_id_seq', greatest(above, (SELECT max(id) FROM stations)));
  PERFORM setval('shows_id_seq', greatest(above, (SELECT max(id) FROM shows)));
END $$;
