import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import type { Config } from '../../app/config.ts';
import { openContext } from '../../app/context.ts';
import { findAccountIdByUsername } from '../../core/accounts/accounts.ts';
import { listFolders } from '../../core/accounts/presets/folders.ts';
import { listPresets } from '../../core/accounts/presets/presets.ts';
import { escapeXml } from '../../formats/opml/characters.ts';
import { parseBosePresets } from '../../formats/station-list/bose-presets.ts';
import { guideId } from '../../lib/guide-id.ts';
import { FetchFailed, UnsafeAddress } from '../../net/fetch/fetch-failed.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { houseOnly } from '../../net/fetch/policy.ts';
import { findStationRow } from '../../storage/catalog/stations/stations.ts';
import { type Command, UsageError } from '../command.ts';
import { plain } from '../terminal.ts';

/** A SoundTouch has six buttons, and answers on this port. */
const [BUTTONS, PORT] = [6, 8090];
const SOURCE = 'LOCAL_INTERNET_RADIO';
const LIMITS = { deadlineMs: 10_000, mostRedirects: 0, maxWireBytes: 256 * 1024, maxBytes: 256 * 1024 };

export const speakerCommand: Command = {
  usage: ['speaker presets HOST --account NAME [--directory ADDRESS]'],
  summary:
    'put the first six stations that an account saved on the buttons of a Bose SoundTouch in the house (docs/soundtouch.md)',
  async run(args, config) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { account: { type: 'string' }, directory: { type: 'string' } },
    });
    const [action, host, ...more] = positionals;
    if (action !== 'presets' || host === undefined || more.length > 0)
      throw new UsageError('give the speaker’s address: speaker presets 192.168.1.31 --account NAME');
    if (values.account === undefined)
      throw new UsageError('say whose presets: speaker presets HOST --account NAME');
    const directory = directoryOf(config, values.directory);
    const speaker = new Speaker(host);
    await using context = openContext(config, { name: 'speaker' });
    const stations = await listSavedStations(context.pool, values.account);
    if (stations.length === 0)
      throw new Error(`${values.account} has saved no station; save some on the site or by a radio first`);
    console.log(await writePresets(speaker, stations, directory));
  },
};

/** Where the speaker finds this directory: it keeps the address, so it has to be one that stays. */
function directoryOf({ publicHosts: [host], httpPort }: Config, given: string | undefined): string {
  if (given === undefined) {
    if (host !== undefined) return `http://${host}`;
    throw new UsageError(
      `PUBLIC_HOSTS is not set, so say where the speaker finds this directory: --directory http://192.168.1.10:${httpPort}`,
    );
  }
  const url = URL.parse(given);
  if ((url?.protocol === 'http:' || url?.protocol === 'https:') && url.username === '' && url.password === '')
    return url.origin;
  throw new UsageError(`--directory '${given}' is no address such as http://192.168.1.10:8700`);
}

interface SavedStation {
  id: number;
  name: string;
}

/** In the order of the account's folders. Shows and addresses of the listener's own have no document that a speaker reads. */
async function listSavedStations(pool: Pool, account: string): Promise<SavedStation[]> {
  const accountId = await findAccountIdByUsername(pool, account);
  if (accountId === undefined) throw new Error(`there is no account ${account}`);
  const folderIds = (await listFolders(pool, accountId)).map(({ id }) => id);
  const presets = await listPresets(pool, { accountId, folderIds }, MAX_READ);
  const inOrder = presets.toSorted((a, b) => folderIds.indexOf(a.folder_id) - folderIds.indexOf(b.folder_id));
  const ids = new Set(inOrder.filter(({ kind }) => kind === 's').map(({ item_id: id }) => id));
  const stations: SavedStation[] = [];
  for (const id of ids) {
    const row = await findStationRow(pool, id);
    if (row) stations.push({ id, name: row.name });
    if (stations.length === BUTTONS) break;
  }
  return stations;
}

const MAX_READ = 500;

async function writePresets(
  speaker: Speaker,
  stations: readonly SavedStation[],
  directory: string,
): Promise<string> {
  const name = await speaker.name();
  await speaker.requireSource();
  for (const [index, station] of stations.entries()) await speaker.store(index + 1, station, directory);
  const kept = new Map((await speaker.presets()).map(({ number, location }) => [number, location]));
  const lines = stations.map(({ id, name: station }, index) => {
    const isKept = kept.get(String(index + 1)) === documentOf(directory, id);
    return `  ${index + 1}  ${plain(station)}${isKept ? '' : ' (the speaker did not keep it)'}`;
  });
  const isWhole = lines.every((line) => !line.endsWith('keep it)'));
  const text = [`${plain(name)} has on its buttons:`, ...lines].join('\n');
  if (!isWhole) throw new Error(`${text}\nTry again when it is on and plays nothing`);
  return text;
}

/** The address that a preset of a speaker leads to. */
const documentOf = (directory: string, id: number): string => `${directory}/bmx/station/${guideId('s', id)}`;

/** A SoundTouch of the house, by its own interface. Nothing outside the house is ever asked. */
class Speaker {
  readonly #host: string;
  readonly #fetcher = new SafeFetcher({ policy: houseOnly });

  constructor(host: string) {
    if (!/^[\w.:-]{1,253}$/.test(host))
      throw new UsageError(`'${host}' is no address of a speaker, such as 192.168.1.31 or soundtouch.local`);
    this.#host = host.includes(':') ? `[${host}]` : host;
  }

  async name(): Promise<string> {
    const [, name = ''] = /<name>([^<]{1,200})<\/name>/.exec(await this.#ask('/info')) ?? [];
    if (name !== '') return name;
    throw new Error(`${this.#host} answers, but is no SoundTouch: its /info has no name`);
  }

  /** A speaker that was reset after its cloud ended may not know the source. */
  async requireSource(): Promise<void> {
    const sources = await this.#ask('/sources');
    const item = new RegExp(`<sourceItem\\b[^>]*\\bsource="${SOURCE}"[^>]*>`).exec(sources)?.[0] ?? '';
    if (/\bstatus="READY"/.test(item)) return;
    throw new Error(
      `the speaker does not offer ${SOURCE} (its /sources), so it cannot play an address. One of the replacements of its cloud has to add it once: docs/soundtouch.md`,
    );
  }

  async store(button: number, { id, name }: SavedStation, directory: string): Promise<void> {
    const art = `${directory}/logos/${guideId('s', id)}q.png`;
    const item = `<ContentItem source="${SOURCE}" type="stationurl" location="${escapeXml(documentOf(directory, id))}" isPresetable="true"><itemName>${escapeXml(name)}</itemName><containerArt>${escapeXml(art)}</containerArt></ContentItem>`;
    await this.#ask('/storePreset', `<preset id="${button}">${item}</preset>`);
  }

  async presets(): Promise<ReturnType<typeof parseBosePresets>> {
    return parseBosePresets(await this.#ask('/presets'));
  }

  async #ask(path: string, body?: string): Promise<string> {
    const address = `http://${this.#host}:${PORT}${path}`;
    const sending =
      body === undefined
        ? {}
        : { method: 'POST' as const, body, headers: { 'content-type': 'application/xml' } };
    try {
      const { status, body: said } = await this.#fetcher.fetch(address, { ...LIMITS, ...sending });
      if (status !== 200) throw new Error(`the speaker answered ${path} with status ${status}`);
      return Buffer.from(said).toString('utf8');
    } catch (error) {
      throw explained(error, address);
    }
  }
}

function explained(error: unknown, address: string): unknown {
  if (error instanceof UnsafeAddress)
    return new Error(
      `${address} was not asked: only speakers at a private address of the house are (10.x, 172.16 to 172.31, 192.168.x)`,
      { cause: error },
    );
  if (error instanceof FetchFailed)
    return new Error(
      `${address} does not answer. Is the speaker on, in this network, and is this its address? Its app and the router show it`,
      { cause: error },
    );
  return error;
}
