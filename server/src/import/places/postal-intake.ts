import type { PostalRecord } from './postal-codes.ts';
import type { Intake } from './write-batch.ts';

export interface PostalRow {
  record: PostalRecord;
  regionId: number;
  zone: string;
}

export const postalIntake: Intake<PostalRow> = {
  table: 'incoming_postal_codes',
  columns: {
    country_code: ['text', ({ record }) => record.countryCode],
    code: ['text', ({ record }) => record.code],
    city: ['text', ({ record }) => record.city],
    region_id: ['bigint', ({ regionId }) => regionId],
    latitude: ['double precision', ({ record }) => record.place.latitude],
    longitude: ['double precision', ({ record }) => record.place.longitude],
    zone: ['text', ({ zone }) => zone],
  },
  inserts: [
    `INSERT INTO postal_codes (country_id, code, city, region_id, latitude, longitude, zone)
    SELECT c.id, i.code, i.city, i.region_id, i.latitude, i.longitude, i.zone
    FROM incoming_postal_codes AS i JOIN countries AS c ON c.code = i.country_code
    WHERE NOT EXISTS (
      SELECT FROM postal_codes AS o WHERE o.country_id = c.id AND o.code = i.code
      AND (o.city, o.region_id, o.latitude, o.longitude, o.zone)
      IS NOT DISTINCT FROM (i.city, i.region_id, i.latitude, i.longitude, i.zone))
    ON CONFLICT (country_id, code) DO UPDATE SET city = excluded.city, region_id = excluded.region_id,
      latitude = excluded.latitude, longitude = excluded.longitude, zone = excluded.zone
    RETURNING country_id || ' ' || code AS key, xmax = 0 AS added`,
  ],
};
