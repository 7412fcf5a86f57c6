import { statement } from '../../../src/storage/db/statement.ts';

export const listAffiliatesOfStation = statement(
  'affiliates-of-station',
  { id: 'int8', name: 'text', homepage: 'text?' },
  `SELECT a.id, a.name, a.homepage FROM station_affiliates s JOIN affiliates a ON a.id = s.affiliate_id
   WHERE s.station_id = $1 ORDER BY a.name, a.id`,
).all((stationId: number) => [stationId]);
