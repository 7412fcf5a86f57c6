import { type RowOf, statement } from '../../db/statement.ts';

/** Of all, whatever became of them; a row goes after thirty days. */
const MAX_SUGGESTIONS = 2000;
/** Of those that nobody has listened to yet: an hour of work. */
const MAX_WAITING = 200;
/** Where it may be our own network, it is tried again; then it counts as silent. */
const MAX_ATTEMPTS = 3;

/** A missing station, cleaned. */
export interface Suggestion {
  addressKey: string;
  address: string;
  name: string;
  homepage: string | undefined;
  city: string | undefined;
  countryCode: string | undefined;
}

const OUTCOME = { state: 'text', problem: 'text?' } as const;

/** Silent ones are listened to once more; the others stay as they are, whoever suggests them again. */
export const addSuggestion = statement(
  'suggestion-add',
  OUTCOME,
  `INSERT INTO suggestions AS s (address_key, address, name, homepage, city, country_code)
   SELECT $1::uuid, $2::text, $3::text, $4::text, $5::text, $6::text
   WHERE (SELECT count(*) FROM (SELECT FROM suggestions WHERE state = 'waiting' LIMIT ${MAX_WAITING}) AS w) < ${MAX_WAITING}
     AND (EXISTS (SELECT FROM suggestions k WHERE k.address_key = $1)
       OR (SELECT count(*) FROM (SELECT FROM suggestions LIMIT ${MAX_SUGGESTIONS}) AS a) < ${MAX_SUGGESTIONS})
   ON CONFLICT (address_key) DO UPDATE SET
     state = CASE WHEN s.state = 'silent' THEN 'waiting' ELSE s.state END,
     name = CASE WHEN s.state = 'silent' THEN excluded.name ELSE s.name END,
     homepage = CASE WHEN s.state = 'silent' THEN excluded.homepage ELSE s.homepage END,
     city = CASE WHEN s.state = 'silent' THEN excluded.city ELSE s.city END,
     country_code = CASE WHEN s.state = 'silent' THEN excluded.country_code ELSE s.country_code END,
     attempts = CASE WHEN s.state = 'silent' THEN 0 ELSE s.attempts END,
     next_due_at = CASE WHEN s.state = 'silent' THEN now() ELSE s.next_due_at END
   RETURNING s.state, s.problem`,
).first((one: Suggestion) => [
  one.addressKey,
  one.address,
  one.name,
  one.homepage ?? null,
  one.city ?? null,
  one.countryCode ?? null,
]);

export const findSuggestion = statement(
  'suggestion-find',
  OUTCOME,
  'SELECT state, problem FROM suggestions WHERE address_key = $1 AND expires_at > now()',
).first((addressKey: string) => [addressKey]);

const DUE = { address_key: 'uuid', address: 'text', attempts: 'int2' } as const;
export type DueSuggestion = RowOf<typeof DUE>;

/** The longest due first; another worker gets it in two minutes if this one dies. */
export const claimSuggestions = statement(
  'suggestion-claim',
  DUE,
  `WITH due AS (
     SELECT address_key FROM suggestions WHERE state = 'waiting' AND next_due_at <= now()
     ORDER BY next_due_at LIMIT $1 FOR UPDATE SKIP LOCKED
   )
   UPDATE suggestions s SET attempts = least(s.attempts + 1, 100), next_due_at = now() + interval '2 minutes'
   FROM due d WHERE s.address_key = d.address_key
   RETURNING s.address_key, s.address, s.attempts`,
).all((most: number) => [most]);

interface HeardFacts {
  format?: string | undefined;
  codec?: string | undefined;
  bitrate?: number | undefined;
}

export const noteSuggestionHeard = statement(
  'suggestion-heard',
  {},
  `UPDATE suggestions SET state = 'heard', problem = NULL, format = $2, codec = $3, bitrate = $4
   WHERE address_key = $1 AND state = 'waiting'`,
).command(({ address_key: key }: DueSuggestion, { format, codec, bitrate }: HeardFacts) => [
  key,
  format ?? null,
  codec ?? null,
  bitrate ?? 0,
]);

/** Unless it may be heard next time. */
export const noteSuggestionSilent = statement(
  'suggestion-silent',
  {},
  `UPDATE suggestions SET problem = $2,
     state = CASE WHEN $3::boolean AND attempts < ${MAX_ATTEMPTS} THEN 'waiting' ELSE 'silent' END,
     next_due_at = now() + interval '1 minute'
   WHERE address_key = $1 AND state = 'waiting'`,
).command(({ address_key: key }: DueSuggestion, problem: string, isUndecided: boolean) => [
  key,
  problem,
  isUndecided,
]);

const SHOWN = {
  address_key: 'uuid',
  address: 'text',
  name: 'text',
  homepage: 'text?',
  city: 'text?',
  country_code: 'text?',
  format: 'text?',
  codec: 'text?',
  bitrate: 'int4',
  suggested_at: 'timestamptz',
} as const;
export type ShownSuggestion = RowOf<typeof SHOWN>;

const COLUMNS = Object.keys(SHOWN).join(', ');

/** For an operator: those that were heard, the oldest first. */
export const listHeardSuggestions = statement(
  'suggestion-list-heard',
  SHOWN,
  `SELECT ${COLUMNS} FROM suggestions WHERE state = 'heard' AND expires_at > now()
   ORDER BY suggested_at, address_key LIMIT $1 OFFSET $2`,
).all(({ limit, offset }: { limit: number; offset: number }) => [limit, offset]);

/** False where there is no such suggestion, or it was decided about before. */
export const decideSuggestion = statement(
  'suggestion-decide',
  { name: 'text' },
  `UPDATE suggestions SET state = CASE WHEN $2::boolean THEN 'accepted' ELSE 'rejected' END
   WHERE address_key = $1 AND state = 'heard' RETURNING name`,
).value((addressKey: string, isAccepted: boolean) => [addressKey, isAccepted]);

/** What an operator accepted and is not in the directory yet. */
export const listAcceptedSuggestions = statement(
  'suggestion-list-accepted',
  SHOWN,
  `SELECT ${COLUMNS} FROM suggestions WHERE state = 'accepted' ORDER BY suggested_at, address_key LIMIT ${MAX_SUGGESTIONS}`,
).all();

export const markSuggestionsListed = statement(
  'suggestion-listed',
  {},
  "UPDATE suggestions SET state = 'listed' WHERE state = 'accepted' AND address_key = ANY ($1::uuid[])",
).command((addressKeys: readonly string[]) => [addressKeys]);
