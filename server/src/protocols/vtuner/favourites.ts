import { AccountLeft } from '../../core/accounts/accounts.ts';
import { findDevice, deviceKey, openDevice, type DeviceKey } from '../../core/accounts/devices/devices.ts';
import { addPairingCode, PAIRING_CODE_MINUTES } from '../../core/accounts/devices/link-device.ts';
import type { Budgets } from '../../core/accounts/budgets.ts';
import type { MemberAccess } from '../../core/accounts/member-access.ts';
import { removePreset } from '../../core/accounts/presets/arrange-presets.ts';
import { listFolders } from '../../core/accounts/presets/folders.ts';
import { labelOf } from '../../core/accounts/presets/preset-rules.ts';
import { findSavedAddress } from '../../core/accounts/presets/presets.ts';
import { addPreset } from '../../core/accounts/presets/save-preset.ts';
import type { Directory } from '../../core/directory/directory.ts';
import { findPresetTarget } from '../../core/directory/lookup/by-any-id.ts';
import type { FolderItem } from '../../core/folders/folder.ts';
import { listSaved } from '../../core/folders/saved-items.ts';
import { Fault } from '../../lib/fault.ts';
import { guideId, type ParsedGuideId } from '../../lib/guide-id.ts';
import { inTime, READ_MS, saveInTime, WRITE_MS } from '../../storage/cache/in-time.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import type { RadioRequest } from './read-request.ts';

/** Serials of these radios are apart from those of all partners: no partner id has a space. */
export const SERIAL_SCOPE = 'vtuner radios';

export interface FavouriteDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  /** Undefined where the operator has not set up accounts. */
  members?: Pick<MemberAccess, 'pool' | 'keys' | 'legacyCredentials'> | undefined;
  budgets?: Pick<Budgets, 'take'> | undefined;
}

type SavedFolders = Awaited<ReturnType<typeof listSaved>>;

/**
 * What a radio has saved: the presets of the account that it belongs to. As in the RadioTime protocol a radio has an account of
 * its own from the first save on, until its owner links it to theirs. Whoever knows what a radio sends as `mac` can read and change
 * these presets, and nothing else of the account.
 */
export class Favourites {
  readonly #deps: FavouriteDeps;

  constructor(deps: FavouriteDeps) {
    this.#deps = deps;
  }

  /** Whether there are accounts at all. */
  get isOpen(): boolean {
    return this.#deps.members !== undefined;
  }

  /** Whether a radio may be linked to an account by a code that goes over the wire as it is. */
  isLinkable(isSecure: boolean): boolean {
    return this.#deps.members !== undefined && (isSecure || this.#deps.members.legacyCredentials);
  }

  async list(request: RadioRequest): Promise<SavedFolders> {
    const { db, directory } = this.#deps;
    const accountId = await this.#accountOf(request);
    if (accountId === undefined) return [];
    return inTime(() => listSaved(db, directory.current(), accountId), READ_MS);
  }

  /** An address that the owner of the radio saved, as on the site. */
  async findAddress(
    request: RadioRequest,
    id: number,
  ): Promise<Extract<FolderItem, { kind: 'address' }> | undefined> {
    const accountId = this.isOpen && request.mac !== undefined ? await this.#accountOf(request) : undefined;
    if (accountId === undefined) return undefined;
    const saved = await inTime(() => findSavedAddress(this.#deps.db, accountId, id), READ_MS);
    return (
      saved && {
        kind: 'address',
        id: guideId('u', id),
        title: saved.label ?? saved.address,
        address: saved.address,
      }
    );
  }

  async #accountOf(request: RadioRequest): Promise<number | undefined> {
    const found = await inTime(() => findDevice(this.#deps.db, this.#device(request)), READ_MS);
    return found?.account_id ?? undefined;
  }

  /** False where there is no such station or show. */
  async add(request: RadioRequest, id: ParsedGuideId, address: string): Promise<boolean> {
    const { pool } = this.#members();
    const device = this.#device(request);
    const found = await inTime(() => findPresetTarget(id, this.#deps), READ_MS);
    if (!found) return false;
    const { kind, itemId, name } = found;
    const save = async (): Promise<void> => {
      const accountId = await this.#open(device, address);
      await addPreset(pool, accountId, undefined, { kind, itemId, label: labelOf(name) });
    };
    await saveInTime(() => save().catch(onceMore(save)), WRITE_MS);
    return true;
  }

  /** Each new radio is a new account, and nobody had to register for it. */
  async #open(device: DeviceKey, address: string): Promise<number> {
    const { pool } = this.#members();
    const known = await findDevice(pool, device);
    if (known?.account_id) return known.account_id;
    await this.#deps.budgets?.take('newRadio', address);
    return openDevice(pool, device);
  }

  /** From whatever folder has it; what is not there is as good as removed. */
  async remove(request: RadioRequest, { letter, number: itemId }: ParsedGuideId): Promise<void> {
    const { pool } = this.#members();
    const accountId = await this.#accountOf(request);
    if (accountId === undefined || (letter !== 's' && letter !== 'p' && letter !== 'u')) return;
    await saveInTime(async () => {
      for (const { id } of await listFolders(pool, accountId))
        if (await removePreset(pool, accountId, id, { kind: letter, itemId })) return;
    }, WRITE_MS);
  }

  /** What the radio shows for its owner to type in at the site. */
  async linkingText(request: RadioRequest, address: string): Promise<string> {
    const { pool, keys } = this.#members();
    const device = this.#device(request);
    await this.#deps.budgets?.take('claim', address);
    const code = await saveInTime(() => addPairingCode(pool, keys, device), WRITE_MS);
    return request.words.text('account.claim', { code, minutes: PAIRING_CODE_MINUTES });
  }

  #device({ mac }: RadioRequest): DeviceKey {
    const { keys } = this.#members();
    if (mac === undefined)
      throw new Fault(400, 'request.invalid', 'Favourites belong to a radio, and this call has no mac');
    return deviceKey(keys, SERIAL_SCOPE, mac);
  }

  #members(): NonNullable<FavouriteDeps['members']> {
    const { members } = this.#deps;
    if (members) return members;
    throw new Fault(404, undefined, 'There are no favourites here; the operator can set MEMBER_KEY');
  }
}

/** A radio that was linked to an account meanwhile saves there. */
const onceMore =
  (save: () => Promise<void>) =>
  (error: unknown): Promise<void> => {
    if (!(error instanceof AccountLeft)) throw error;
    return save();
  };
