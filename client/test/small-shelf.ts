import { type Call, fault, type Page } from './small-call.ts';

interface Folder {
  name: string;
  /** Ids with the buttons they are on. */
  items: Map<string, number>;
}

let lastFolder = 0;
/** The ids of addresses, in the order in which they came. */
const addresses: string[] = [];

function idOfAddress(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  if (!addresses.includes(address)) addresses.push(address);
  return `u${addresses.indexOf(address)}`;
}

/** The folders of one account. */
export class Shelf {
  readonly folders = new Map<string, Folder>();
  readonly #standard: string;

  constructor() {
    this.#standard = this.#add('General');
  }

  #add(name: string): string {
    lastFolder += 1;
    this.folders.set(`f${lastFolder}`, { name, items: new Map() });
    return `f${lastFolder}`;
  }

  /** What another has in its default folder comes behind. */
  take(other: Shelf): void {
    const mine = this.folders.get(this.#standard)?.items;
    for (const id of other.folders.get(other.#standard)?.items.keys() ?? [])
      if (mine && !mine.has(id)) mine.set(id, mine.size + 1);
  }

  answer({ c, params }: Call): Page {
    const name = params.get('name');
    const folderId = params.get('folderid');
    const folder = this.folders.get(folderId ?? this.#standard);
    if (c === 'listfolders') return this.#list();
    if (!folder) return fault(400, 'request.folderInvalid', 'No such folder');
    if (c === 'add' || c === 'remove') return changeItem(c, folder, params);
    if (c === 'addfolder' && name !== undefined)
      return { lines: [`<outline type="text" text="${name}" guide_id="${this.#add(name)}"/>`] };
    if (folderId === undefined) return fault(400, 'request.folderInvalid', 'Give a folderId');
    if (c === 'removefolder') this.folders.delete(folderId);
    else if (c === 'renamefolder' && name !== undefined) folder.name = name;
    else return fault(400, 'request.invalid', 'Give a name');
    return { lines: [] };
  }

  #list(): Page {
    const lines = [...this.folders].map(
      ([id, { name }]) => `<outline type="text" text="${name}" guide_id="${id}"/>`,
    );
    return { lines };
  }
}

function changeItem(c: string, { items }: Folder, params: Call['params']): Page {
  const id = params.get('id') ?? idOfAddress(params.get('url'));
  if (id === undefined) return fault(400, 'request.invalid', 'Give an id or a url');
  if (c === 'remove') items.delete(id);
  else items.set(id, Number(params.get('presetnumber') ?? items.size + 1));
  return { lines: [] };
}
