import type { Pool } from 'pg';

/** Two countries with a city each, so that an import finds places without loading those of the whole world. */
export async function makeSmallWorld(pool: Pool): Promise<void> {
  await pool.query(`
    INSERT INTO regions (id, parent_id, kind, code, name, latitude, longitude) VALUES
      (0, NULL, 'root', 'root', 'World', NULL, NULL),
      (1, 0, 'continent', 'continent:EU', 'Europe', NULL, NULL),
      (2, 1, 'country', 'country:IE', 'Ireland', NULL, NULL),
      (3, 1, 'country', 'country:AT', 'Austria', NULL, NULL),
      (4, 2, 'city', 'city:4', 'Cork', 51.9, -8.47),
      (5, 3, 'city', 'city:5', 'Vienna', 48.2, 16.37);
    INSERT INTO countries (id, code, name, region_id, zone) VALUES
      (1, 'IE', 'Ireland', 2, 'Europe/Dublin'), (2, 'AT', 'Austria', 3, 'Europe/Vienna');
    INSERT INTO cities (id, country_id, name_key, population, zone) VALUES
      (4, 1, 'cork', 200000, 'Europe/Dublin'), (5, 2, 'vienna', 1900000, 'Europe/Vienna');
    INSERT INTO languages (id, code, name) VALUES (1, 'en', 'English'), (2, 'de', 'German')`);
}
