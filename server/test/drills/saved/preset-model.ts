/** What presets are, in plain memory and in as few words as can be: the drill holds the service against it. */

export interface ModelFolder {
  name: string;
  isDefault: boolean;
  isRemoved: boolean;
  /** What stands on which button. */
  buttons: Map<number, string>;
  owner: ModelAccount;
  /** What the service calls it; learned from its answers. */
  guideId?: string;
}

export class ModelAccount {
  readonly folders: ModelFolder[] = [];
  /** Given for a named one. */
  readonly username: string | undefined;
  device: ModelDevice | undefined;

  constructor(username?: string) {
    this.username = username;
    this.#make('Favorites', true);
  }

  get live(): ModelFolder[] {
    return this.folders.filter(({ isRemoved }) => !isRemoved);
  }

  named(name: string): ModelFolder | undefined {
    return this.live.find((folder) => folder.name.toLowerCase() === name.toLowerCase());
  }

  #make(name: string, isDefault = false): ModelFolder {
    const folder = { name, isDefault, isRemoved: false, buttons: new Map<number, string>(), owner: this };
    this.folders.push(folder);
    return folder;
  }

  addFolder(name: string): ModelFolder {
    return this.named(name) ?? this.#make(name);
  }

  /** The folder a call means, or the fault's code. */
  folder(asked: ModelFolder | undefined): ModelFolder | 'request.folderInvalid' {
    const folder = asked ?? this.folders.find(({ isDefault }) => isDefault);
    return folder?.owner === this && !folder.isRemoved ? folder : 'request.folderInvalid';
  }
}

export interface ModelDevice {
  serial: string;
  account: ModelAccount | undefined;
}

const numberOf = ({ buttons }: ModelFolder, item: string): number | undefined =>
  [...buttons].find(([, other]) => other === item)?.[0];

const last = ({ buttons }: ModelFolder): number => Math.max(0, ...buttons.keys());

export function addItem(folder: ModelFolder, item: string, number?: number): void {
  const from = numberOf(folder, item);
  if (from !== undefined && (number === undefined || number === from)) return;
  if (from !== undefined) folder.buttons.delete(from);
  push(folder.buttons, item, number ?? last(folder) + 1, from !== undefined && from < (number ?? 0) ? -1 : 1);
}

/** Who stands there is pushed one further, and pushes in turn. */
function push(buttons: ModelFolder['buttons'], item: string, number: number, step: 1 | -1): void {
  const there = buttons.get(number);
  buttons.set(number, item);
  if (there !== undefined) push(buttons, there, number + step, step);
}

export function removeItem(folder: ModelFolder, item: string): void {
  const number = numberOf(folder, item);
  if (number !== undefined) folder.buttons.delete(number);
}

export function join(account: ModelAccount, device: ModelDevice): string {
  if (account.device) return 'validation.deviceExists';
  if (device.account?.username !== undefined) return 'validation.error';
  for (const source of device.account?.live ?? []) {
    const target = source.isDefault ? account.folder(undefined) : account.addFolder(source.name);
    if (typeof target === 'string') throw new Error('an account without a default folder');
    for (const [, item] of [...source.buttons].toSorted(([a], [b]) => a - b)) addItem(target, item);
  }
  device.account = account;
  account.device = device;
  return 'ok';
}

export function drop(device: ModelDevice): string {
  if (device.account?.username === undefined) return 'validation.deviceNotAssociated';
  device.account.device = undefined;
  device.account = undefined;
  return 'ok';
}

/** A line for each folder: its name, and what stands on which button. */
export const drawn = (account: ModelAccount | undefined): string =>
  (account?.live ?? [])
    .map(({ name, buttons }) => {
      const items = [...buttons].toSorted(([a], [b]) => a - b).map(([number, item]) => ` ${item}@${number}`);
      return `${name}:${items.join('')}`;
    })
    .join('\n');
