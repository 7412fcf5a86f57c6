import { fileURLToPath } from 'node:url';

/** As far as it is needed here. */
interface Modules {
  getModuleInfo(id: string): { importedIds: string[] } | null;
}

/** Tells which modules are loaded with these: those that they import, and what those import. */
export function modulesOf(...paths: readonly string[]): (id: string, modules: Modules) => boolean {
  const beginnings = paths.map((path) => fileURLToPath(new URL(`../src/${path}`, import.meta.url)));
  let found: ReadonlySet<string> | undefined;
  return (id, modules) => (found ??= importedBy(beginnings, modules)).has(id);
}

function importedBy(ids: readonly string[], modules: Modules): ReadonlySet<string> {
  const found = new Set(ids);
  // A set goes on with what is added to it on the way.
  for (const id of found)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
