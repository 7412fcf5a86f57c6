import type { Check } from '../check.ts';
import { expect } from '../expect.ts';
import type { JsonItem } from '../answer.ts';
import { isItem } from '../answer.ts';

/** What a Tune entry holds, and as what. */
const TUNE_FIELDS = {
  element: 'string',
  url: 'string',
  reliability: 'number',
  bitrate: 'number',
  media_type: 'string',
  position: 'number',
  player_width: 'number',
  player_height: 'number',
  is_hls_advanced: 'string',
  live_seek_stream: 'string',
  is_ad_clipped_content_enabled: 'string',
  is_direct: 'boolean',
  guide_id: 'string',
} as const;

/** The first attribute of an outline, at any depth, that is not text. */
function notText(items: readonly JsonItem[]): string | undefined {
  for (const item of items) {
    for (const [name, value] of Object.entries(item)) {
      if (name !== 'children') {
        if (typeof value !== 'string') return `${name}: ${JSON.stringify(value)}`;
        continue;
      }
      const inner = Array.isArray(value) ? notText(value.filter(isItem)) : 'children that are no list';
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}

export const jsonRules: readonly Check[] = [
  {
    id: 'rule-6',
    statement: 'JSON head.status is a string',
    run: async (kit) => {
      for (const path of ['/Browse.ashx', '/Browse.ashx?c=no-such']) {
        const { reply, head } = await kit.json(path);
        expect(reply, typeof head['status'] === 'string', '"status":"200"', JSON.stringify(head));
      }
    },
  },
  {
    id: 'rule-7',
    statement: 'JSON outline attributes are strings',
    run: async (kit) => {
      const { reply, body } = await kit.json(`/Browse.ashx?id=${await kit.subjects.genreId()}`);
      const wrong = notText(body);
      expect(reply, wrong === undefined, 'strings only', wrong ?? '');
    },
  },
  {
    id: 'rule-7-tune',
    statement: 'JSON Tune entries have every field, as numbers, one boolean and string flags',
    run: async (kit) => {
      const { reply, body } = await kit.json(`/Tune.ashx?id=${await kit.subjects.stationId()}`);
      expect(reply, body.length > 0, 'a stream', '[]');
      for (const entry of body) {
        const wrong = Object.entries(TUNE_FIELDS).find(([name, type]) => typeof entry[name] !== type);
        expect(reply, wrong === undefined, `${wrong?.[0]} as ${wrong?.[1]}`, JSON.stringify(entry));
      }
    },
  },
  {
    id: 'rule-8',
    statement: 'JSON answers are application/json, faults too',
    run: async (kit) => {
      await kit.json('/Browse.ashx?c=music');
      await kit.json('/Browse.ashx?c=no-such');
    },
  },
];
