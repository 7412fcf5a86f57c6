import type { LanguageRecord } from './languages.ts';
import type { Intake } from './write-batch.ts';

export const languageIntake: Intake<LanguageRecord> = {
  table: 'incoming_languages',
  columns: { code: ['text', ({ code }) => code], name: ['text', ({ name }) => name] },
  inserts: [
    `INSERT INTO languages (code, name)
    SELECT i.code, i.name FROM incoming_languages AS i
    WHERE NOT EXISTS (SELECT FROM languages AS l WHERE l.code = i.code AND l.name = i.name)
    ORDER BY i.ctid
    ON CONFLICT (code) DO UPDATE SET name = excluded.name
    RETURNING code AS key, xmax = 0 AS added`,
  ],
};
