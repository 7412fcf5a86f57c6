import { askSite } from '../../../session/calls/api.ts';

/** Others are detected by the server. */
export type ImportFormat = 'opml' | 'm3u' | 'pls' | 'csv' | 'json';

export interface ImportText {
  text: string;
  format?: ImportFormat | undefined;
}

/** An entry that would be saved. */
interface ImportMatch {
  name: string;
  guideId?: string;
  url?: string;
  folder?: string;
  /** How it was recognised; `kept`: it was not, and its address is saved as it is. */
  by: 'id' | 'address' | 'name' | 'kept';
}

/** Neither a known station nor an address that could be saved. */
interface Unmatched {
  name: string;
  address: string;
}

export interface ImportPreview {
  preview: ImportMatch[];
  unmatched: Unmatched[];
}

export const previewImport = (body: ImportText): Promise<ImportPreview> =>
  askSite('presets/import', { method: 'POST', body });

export const confirmImport = (body: ImportText): Promise<{ added: number; skipped: number }> =>
  askSite('presets/import', { method: 'POST', body: { ...body, confirm: true } });
