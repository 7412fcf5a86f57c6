import assert from 'node:assert/strict';
import type { InjectOptions } from 'fastify';
import type { Pool } from 'pg';
import { StreamBoard } from '../../src/core/directory/live/keep-streams.ts';
import { radioBrowser } from '../../src/protocols/radio-browser/radio-browser.ts';
import { testApp } from './http-server.ts';
import type { SeededDirectory } from '../content/seeded-directory.ts';

export type ApiRecord = Record<string, string | number | boolean | null>;

/** The radio-browser API over a small directory, asked without a socket. */
export function radioBrowserApp(
  { directory, database }: Pick<SeededDirectory, 'directory' | 'database'>,
  { db = database.pool, ...overrides }: Parameters<typeof testApp>[1] & { db?: Pool } = {},
) {
  const protocols = [radioBrowser({ directory, db, streamBoard: new StreamBoard() })];
  const made = testApp([], { ...overrides, protocols });
  const ask = (options: InjectOptions | string) => {
    const asked = typeof options === 'string' ? { url: options } : options;
    return made.app.inject({ ...asked, headers: { host: 'radio.test', ...asked.headers } });
  };
  return {
    ...made,
    ask,
    /** What a list answers; fails unless it is one. */
    list: async (url: string): Promise<ApiRecord[]> => {
      const { statusCode, body } = await ask(url);
      assert.equal(statusCode, 200, body);
      return JSON.parse(body);
    },
  };
}

export const namesOf = (records: readonly ApiRecord[]): unknown[] => records.map(({ name }) => name);
