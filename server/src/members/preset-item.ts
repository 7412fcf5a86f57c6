/** What can be saved. A station or show keeps its name, so that it still has one when it is gone. */
export type PresetItem =
  | { kind: 's' | 'p'; itemId: number; label: string }
  | { kind: 'u'; address: string; label: string };

/** What tells one preset of a folder from the others; a saved address has an id as well. */
export type PresetKey = { kind: 's' | 'p' | 'u'; itemId: number } | { kind: 'u'; address: string };

/** As parameters of a statement: kind, item, address. */
export const keyParams = (key: PresetKey): [kind: string, itemId: number | null, address: string | null] =>
  'address' in key ? [key.kind, null, key.address] : [key.kind, key.itemId, null];

/** As parameters of a statement: kind, item, address, label. */
export const itemParams = (item: PresetItem): unknown[] => [...keyParams(item), item.label];
