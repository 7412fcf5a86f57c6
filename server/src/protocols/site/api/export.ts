import type { SiteAnswer } from '../session/site-endpoint.ts';
import { numberOf } from '../../../lib/guide-id.ts';
import type { OpmlDocument, Outline } from '../../../formats/opml/document.ts';
import { logoOf } from '../../../formats/opml/outlines.ts';
import { asPreset, exportedAddress, folderContainer } from '../../../formats/opml/preset-outlines.ts';
import { writeXml } from '../../../formats/opml/write-xml.ts';
import { invalid } from './fields.ts';
import type { SiteApiContext, MemberCall } from './deps.ts';
import { type ShownFolder, type ShownPreset, readFolders } from './preset-list.ts';

/** All presets as a file that other programs read, and that imports here as the same presets. */
export async function exportList(call: MemberCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { members, accountId, query, caller } = call;
  const format = query.get('format') ?? 'opml';
  if (format !== 'opml' && format !== 'm3u') throw invalid('format', "'format' must be opml or m3u");
  const folders = await readFolders(context, members, { accountId, words: caller.words });
  const { origin } = caller;
  const title = caller.words.text('browse.presets');
  const text =
    format === 'opml' ? writeXml(opmlOf(folders, title), { origin, suffix: '' }) : writeM3u(folders, origin);
  const contentType = format === 'opml' ? 'text/x-opml; charset=utf-8' : 'audio/x-mpegurl; charset=utf-8';
  return { file: { bytes: Buffer.from(text), contentType, name: `presets.${format}` } };
}

const opmlOf = (folders: readonly ShownFolder[], title: string): OpmlDocument => ({
  title,
  outlines: folders.map((folder) =>
    folderContainer({ ...folder, id: numberOf('f', folder.id) ?? 0 }, folder.presets.map(outlineOf)),
  ),
});

function outlineOf({ guideId, kind, name, number, url }: ShownPreset): Outline {
  if (url !== undefined)
    return exportedAddress({ id: numberOf('u', guideId) ?? 0, name, address: url }, number);
  const target = { path: '/Tune.ashx', params: [['id', guideId]] } as const;
  const item = kind === 'show' ? 'show' : 'station';
  return asPreset(
    { type: 'audio', text: name, target, guideId, item, image: logoOf(guideId), presetId: guideId },
    number,
  );
}

/** Players group by `group-title`, which cannot contain quotes; `#EXTGRP` has the exact name. */
function writeM3u(folders: readonly ShownFolder[], origin: string): string {
  const lines = ['#EXTM3U'];
  for (const folder of folders)
    for (const { guideId, name, number, url, image } of folder.presets) {
      const group = folder.name.replaceAll('"', "'");
      lines.push(
        `#EXTINF:-1 tvg-id="${guideId}" tvg-chno="${number}" tvg-logo="${origin}${image}" group-title="${group}",${name}`,
        `#EXTGRP:${folder.name}`,
        url ?? `${origin}/Tune.ashx?id=${guideId}`,
      );
    }
  return `${lines.join('\n')}\n`;
}
