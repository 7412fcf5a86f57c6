import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { House } from '../../house/house.ts';
import type { ServedHouse } from '../../house/served-house.ts';
import { waitFor } from '../../time/wait-until.ts';

const RPC = 'http://127.0.0.1:6680/mopidy/rpc';
const SETTINGS = `
[core]
cache_dir = $folder/cache
config_dir = $folder/config
data_dir = $folder/data
[audio]
mixer = software
output = fakesink sync=true
[http]
enabled = true
hostname = 127.0.0.1
port = 6680
zeroconf =
[file]
enabled = false
[m3u]
enabled = false
[tunein]
enabled = true
timeout = 5000
`;

/** What Mopidy lists: a folder to browse or a track to play. */
export interface Ref {
  uri: string;
  name: string;
  type: string;
}

export interface Mopidy {
  /** A call of its core, whose answer has the type that Mopidy's documentation gives it. */
  call: <Result = unknown>(method: string, params?: Record<string, unknown>) => Promise<Result>;
  browse: (uri: string) => Promise<Ref[]>;
}

/** Mopidy with its extension for this directory, which calls by HTTPS alone; driven as its own web clients do it. */
export const startMopidy = ({ house, authorityFile }: ServedHouse): Promise<Mopidy> =>
  drive(house, { REQUESTS_CA_BUNDLE: authorityFile });

/**
 * The same program as a radio that knows plain HTTP alone: one word of the extension's address is changed, in a copy that
 * Python finds first. All else, names and menus among it, is as Debian has it.
 */
export function startMopidyByHttp(house: House): Promise<Mopidy> {
  const copy = join(house.folder, 'python/mopidy_tunein');
  cpSync('/usr/lib/python3/dist-packages/mopidy_tunein', copy, { recursive: true });
  const file = join(copy, 'tunein.py');
  const source = readFileSync(file, 'utf8');
  const changed = source.replace('"https://opml.radiotime.com/', '"http://opml.radiotime.com/');
  assert.notEqual(changed, source, `${file} has another address`);
  writeFileSync(file, changed);
  return drive(house, { PYTHONPATH: join(house.folder, 'python') });
}

async function drive(house: House, env: NodeJS.ProcessEnv): Promise<Mopidy> {
  const file = join(house.folder, 'mopidy.conf');
  writeFileSync(file, SETTINGS.replaceAll('$folder', join(house.folder, 'mopidy')));
  const mopidy = house.start('mopidy', ['--config', file], { env });
  const call: Mopidy['call'] = async (method, params = {}) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: `core.${method}`, params });
    const post = ['-fsS', '-m', '30', '-H', 'Content-Type: application/json', '-d', body, RPC];
    const answer = JSON.parse(await house.run('curl', post));
    assert.equal(answer.error, undefined, `${method}: ${JSON.stringify(answer.error)}`);
    return answer.result;
  };
  await waitFor(mopidy, 'Mopidy', () => call('get_version'));
  return { call, browse: (uri) => call<Ref[]>('library.browse', { uri }) };
}
