import type { DirectoryAnswer } from './answer.ts';
import type { Params } from './call-url.ts';
import type { CallOptions, Connection } from './connection.ts';
import { DirectoryFault } from './faults.ts';

/** A station, show or saved address by its guide ID, or an address to save, with a name for it. */
export type PresetItem = { id: string } | { url: string; name?: string };

export interface Folder {
  id: string;
  name: string;
}

export interface PresetPlace {
  /** The default folder when none is named. */
  folderId?: string;
  /** The button, from 1; behind the others when none is named. What is there moves up. */
  presetNumber?: number;
}

/** Preset: saves and removes, in the account of `username` and `password`, else in that of the device `serial`. */
export class PresetCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Saving what is there already changes nothing; with another number it moves. */
  async add(item: PresetItem, place: PresetPlace = {}, call?: CallOptions): Promise<void> {
    await this.#ask({ c: 'add', ...item, ...place }, call);
  }

  /** Also fine when it is not there. */
  async remove(item: PresetItem, folderId?: string, call?: CallOptions): Promise<void> {
    await this.#ask({ c: 'remove', ...item, folderId }, call);
  }

  /** The id of the folder; of the one that is there already when there is one of this name. */
  async addFolder(name: string, call?: CallOptions): Promise<string> {
    const { outlines } = await this.#ask({ c: 'addFolder', name }, call);
    const id = outlines[0]?.guideId;
    if (id === undefined)
      throw new DirectoryFault(500, '', 'The directory did not say the id of the new folder');
    return id;
  }

  async removeFolder(folderId: string, call?: CallOptions): Promise<void> {
    await this.#ask({ c: 'removeFolder', folderId }, call);
  }

  async renameFolder(folderId: string, name: string, call?: CallOptions): Promise<void> {
    await this.#ask({ c: 'renameFolder', folderId, name }, call);
  }

  async listFolders(call?: CallOptions): Promise<Folder[]> {
    const { outlines } = await this.#ask({ c: 'listFolders' }, call);
    return outlines.map(({ guideId = '', text }) => ({ id: guideId, name: text }));
  }

  /** A password goes in a form, over HTTPS alone; a serial goes the same way where there is HTTPS. */
  #ask(params: Params, call?: CallOptions): Promise<DirectoryAnswer> {
    const { username, password, serial } = this.#connection.options;
    const caller = username === undefined ? { serial } : { username };
    if (password !== undefined || this.#connection.isSecure)
      return this.#connection.askSecretly('/Preset.ashx', caller, { ...params, password }, call);
    return this.#connection.ask('/Preset.ashx', params, call);
  }
}
