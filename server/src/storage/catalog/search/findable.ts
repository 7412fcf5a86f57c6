import type { Queryable } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { Findable } from './search-document.ts';

/** An item that can be found, with its search terms. */
export interface FindableItem extends Findable {
  id: number;
  popularity: number;
}

type Genre = Findable['genres'][number];

const genreRows = statement(
  'search-genres',
  { id: 'int8', parent_id: 'int8?', name: 'text' },
  'SELECT id, parent_id, name FROM genres',
);

/** Returns a lookup of a genre and its ancestors. */
export async function loadGenreLineages(db: Queryable): Promise<(id: number) => Genre[]> {
  const rows = new Map((await genreRows.run(db, [])).map((row) => [row.id, row]));
  return (id) => {
    const lineage: Genre[] = [];
    let row = rows.get(id);
    while (row && lineage.length < rows.size) {
      lineage.push({ id: row.id, name: row.name });
      row = rows.get(row.parent_id ?? Number.NaN);
    }
    return lineage;
  };
}

const lockStations = statement(
  'search-lock-stations',
  { id: 'int8' },
  'SELECT id FROM stations WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE',
);

const stations = statement(
  'search-findable-stations',
  {
    id: 'int8',
    name: 'text',
    call_sign: 'text?',
    frequency: 'text?',
    slogan: 'text?',
    popularity: 'int4',
    country_id: 'int8?',
    country: 'text?',
    city: 'text?',
    city_id: 'int8?',
    state: 'text?',
    genre_ids: 'int8[]',
    languages: 'text[]',
  },
  `SELECT s.id, s.name, s.call_sign, s.frequency, s.slogan, s.popularity, s.country_id, c.name AS country,
     CASE WHEN r.kind = 'city' THEN r.name END AS city, CASE WHEN r.kind = 'city' THEN r.id END AS city_id,
     CASE WHEN r.kind = 'state' THEN r.name ELSE
       (SELECT above.name FROM regions above WHERE above.id = r.parent_id AND above.kind = 'state') END AS state,
     ARRAY (SELECT g.genre_id FROM station_genres g WHERE g.station_id = s.id ORDER BY g.position) AS genre_ids,
     ARRAY (SELECT l.name FROM station_languages sl JOIN languages l ON l.id = sl.language_id
       WHERE sl.station_id = s.id ORDER BY sl.position) AS languages
   FROM stations s
   LEFT JOIN countries c ON c.id = s.country_id
   LEFT JOIN regions r ON r.id = s.region_id
   WHERE s.id = ANY ($1::bigint[]) AND s.listed
     AND EXISTS (SELECT FROM streams t WHERE t.station_id = s.id AND t.listed)`,
);

/**
 * Those of the stations that can be found. They are locked first: of two transactions that change one station, the
 * second then reads what the first wrote.
 */
export async function listFindableStations(
  db: Queryable,
  ids: readonly number[],
  genreLine: (id: number) => Genre[],
): Promise<FindableItem[]> {
  await lockStations.run(db, [ids]);
  return (await stations.run(db, [ids])).map((row) => ({
    id: row.id,
    name: row.name,
    marks: [row.call_sign, row.frequency],
    city: row.city,
    cityId: row.city_id,
    places: [row.state, row.country],
    countryId: row.country_id,
    genres: row.genre_ids.flatMap(genreLine),
    languages: row.languages,
    about: row.slogan,
    popularity: row.popularity,
  }));
}

const shows = statement(
  'search-findable-shows',
  {
    id: 'int8',
    title: 'text',
    hosts: 'text?',
    description: 'text?',
    popularity: 'int4',
    genre_id: 'int8?',
    country_id: 'int8?',
    country: 'text?',
    language: 'text?',
  },
  `SELECT p.id, p.title, p.hosts, p.description, p.popularity, p.genre_id, p.country_id, c.name AS country,
     l.name AS language
   FROM shows p LEFT JOIN countries c ON c.id = p.country_id LEFT JOIN languages l ON l.id = p.language_id
   WHERE p.id = ANY ($1::bigint[]) AND p.listed ORDER BY p.id FOR NO KEY UPDATE OF p`,
);

/** Those of the shows that can be found. A show is one row, so it is locked as it is read. */
export async function listFindableShows(
  db: Queryable,
  ids: readonly number[],
  genreLine: (id: number) => Genre[],
): Promise<FindableItem[]> {
  return (await shows.run(db, [ids])).map((row) => ({
    id: row.id,
    name: row.title,
    marks: [row.hosts],
    city: null,
    cityId: null,
    places: [row.country],
    countryId: row.country_id,
    genres: row.genre_id === null ? [] : genreLine(row.genre_id),
    languages: row.language === null ? [] : [row.language],
    about: row.description,
    popularity: row.popularity,
  }));
}
