import assert from 'node:assert/strict';
import { DIRECTORY, type ServedHouse } from '../../house/served-house.ts';
import { MAKER } from './fill-site.ts';

/** What a radio does on the wire, from the house it stands in. */
export interface Radio {
  /** Where the first menu leads who wants presets, before the radio says which one it is. */
  presetsLink(): Promise<string>;
  save(guideId: string): Promise<void>;
  /** The code that it shows, to be entered on the site. */
  showCode(): Promise<string>;
  /** The names on its buttons, in their order. */
  presets(): Promise<string[]>;
}

interface Outline {
  text: string;
  URL?: string;
  key?: string;
  children?: Outline[];
}

export function radioIn({ get, post }: ServedHouse, serial: string): Radio {
  const own = { partnerId: MAKER, serial, render: 'json' };
  const ask = async (path: string, params: Record<string, string>): Promise<Outline[]> =>
    bodyOf(await get(`${path}?${new URLSearchParams({ ...params, ...own }).toString()}`));
  return {
    async presetsLink() {
      const index = bodyOf(await get(`/Browse.ashx?partnerId=${MAKER}&render=json`));
      const link = index.find(({ key }) => key === 'presets')?.URL;
      assert.ok(link, 'the index has no link to presets');
      return link;
    },
    async save(id) {
      bodyOf(await post('/Preset.ashx', { c: 'add', id, ...own }));
    },
    async showCode() {
      const [line] = bodyOf(await post('/Account.ashx', { c: 'claim', ...own }));
      const [code] = /\b[A-Z2-9]{8}\b/.exec(line?.text ?? '') ?? [];
      assert.ok(code, `no code: ${JSON.stringify(line)}`);
      return code;
    },
    async presets() {
      const shown = await ask('/Browse.ashx', { c: 'presets' });
      return shown.flatMap(({ text, children }) => children?.map((child) => child.text) ?? [text]);
    },
  };
}

function bodyOf(answer: string): Outline[] {
  const { head, body }: { head: { status: string; fault?: string }; body?: Outline[] } = JSON.parse(answer);
  assert.equal(head.status, '200', `${DIRECTORY} said: ${head.fault}`);
  return body ?? [];
}
