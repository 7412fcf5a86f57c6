import { ReadThrough } from '../cache/read-through.ts';
import type { ShowRow } from '../catalog/shows.ts';
import type { Queryable } from '../db/pool.ts';
import type { Answer, Call } from '../http/endpoint.ts';
import { requirePartner } from '../http/require-partner.ts';
import { Fault } from '../lib/fault.ts';
import { numberOf } from '../lib/guide-id.ts';
import { findAccount } from '../members/accounts.ts';
import { type FolderRow, listFolders } from '../members/folders.ts';
import { type PresetRow, listPresets } from '../members/presets.ts';
import { findAccountIdByUsername } from '../members/usernames.ts';
import type { Outline } from '../opml/document.ts';
import { folderContainer, folderLink } from '../opml/preset-outlines.ts';
import { unknownId } from './faults.ts';
import { presetOutline, showsOf } from './preset-items.ts';
import type { BrowseRequest } from './request.ts';

/** What an account has saved. */
interface Saved {
  folders: readonly FolderRow[];
  presets: readonly PresetRow[];
  shows: ReadonlyMap<number, ShowRow>;
}

const NOTHING: Saved = { folders: [], presets: [], shows: new Map() };
/** Ten times what a radio has buttons for. */
const MOST_PRESETS = 1000;

/** Presets by the name of their account. They are read anew for each call: who saves one looks whether it is there. */
export class PresetMenus {
  readonly #saved: ReadThrough<Saved>;

  constructor(db: Queryable) {
    this.#saved = new ReadThrough({ load: (name) => readSaved(db, name), most: 1, freshMs: 0, staleMs: 0 });
  }

  async menu(request: BrowseRequest, call: Call): Promise<Answer> {
    requirePartner(call);
    const { username, serial, words } = call.caller;
    if (username === undefined && serial === undefined)
      throw new Fault(400, 'request.invalid', "Presets belong to someone: give a 'username' or a 'serial'");
    // A device that nobody has presets on and one that nobody knows are answered alike.
    const saved = username === undefined ? NOTHING : await this.#saved.get(username.toLowerCase());
    const title =
      username === undefined
        ? words.text('browse.presets')
        : words.text('browse.favorites', { name: username });
    return { title, outlines: outlinesOf(request, call, saved), noStore: true };
  }
}

/** Nobody's, when there is no such name or its owner does not want to be read by it. */
async function readSaved(db: Queryable, username: string): Promise<Saved> {
  const id = await findAccountIdByUsername(db, username);
  const account = id === undefined ? undefined : await findAccount(db, id);
  if (!account?.readable_by_name) return NOTHING;
  const [folders, presets] = await Promise.all([
    listFolders(db, account.id),
    listPresets(db, account.id, MOST_PRESETS),
  ]);
  return { folders, presets, shows: await showsOf(db, presets) };
}

/** One folder's items stand for themselves; of several each is a link, or all of them are there at once on request. */
function outlinesOf(request: BrowseRequest, { params }: Call, { folders, presets, shows }: Saved): Outline[] {
  const options = (params.text('options') ?? '').toLowerCase().split(/[,:]/);
  const tuneShows = options.includes('tuneshows');
  const itemsOf = ({ id }: FolderRow): Outline[] =>
    presets
      .filter(({ folder_id: folderId }) => folderId === id)
      .map((preset) => presetOutline(request, preset, { shows, tuneShows }));
  if (options.includes('recurse')) {
    return folders.map((folder) =>
      folderContainer({ ...folder, isDefault: folder.is_default }, itemsOf(folder)),
    );
  }
  const asked = params.text('guide_id');
  const chosen = asked === undefined ? undefined : folders.find(({ id }) => id === numberOf('f', asked));
  if (asked !== undefined && !chosen) throw unknownId('the account has no such folder');
  const [only] = chosen ? [chosen] : folders;
  return only && (chosen || folders.length === 1)
    ? itemsOf(only)
    : folders.map((folder) => folderLink(folder));
}
