import type { Section } from '../../check.ts';
import { expect } from '../../expect.ts';
import { ANNOUNCEMENT, expectInFormat, expectPlaylist } from '../../expectations.ts';
import { attribute } from '../../opml.ts';
import { textOf } from '../../reply.ts';

const FORMATS = ['wma', 'mp3', 'aac', 'real', 'flash', 'html', 'wmpro', 'wmvoice', 'wmvideo', 'ogg', 'qt'];

/** Specification 2.6: stream formats. */
export const streamFormats: Section = {
  id: '2.6',
  title: 'Stream formats',
  checks: FORMATS.map((format) => ({
    id: `2.6-${format}`,
    statement: `${format} is a format: it is listed, and stations listed for it are heard in it`,
    run: async (kit) => {
      const id = await kit.subjects.genreId();
      const menu = await kit.success(`/Browse.ashx?id=${id}&formats=${format}`);
      await expectInFormat(kit, menu, format);
      const list = await kit.success('/Describe.ashx?c=formats');
      const codes = list.document.outlines.map((outline) => attribute(outline, 'guide_id'));
      expect(list.reply, codes.includes(format), `${format} among the formats`, codes.join(', '));
    },
  })),
};

/** Specification 2.7: playlists. */
export const playlists: Section = {
  id: '2.7',
  title: 'Playlists',
  checks: [
    {
      id: '2.7-m3u',
      statement: 'Tune answers with a basic M3U playlist',
      run: async (kit) => {
        const station = await kit.subjects.stationId();
        expectPlaylist(await kit.call(`/Tune.ashx?id=${station}`));
      },
    },
    {
      id: '2.7-compatible',
      statement: 'streams that the client can play are what it is given',
      run: async (kit) => {
        const station = await kit.subjects.stationId();
        const { reply, body } = await kit.json(`/Tune.ashx?id=${station}&formats=mp3,aac`);
        const wrong = body.filter(
          ({ media_type: type, url }) =>
            !['mp3', 'aac'].includes(String(type)) && !ANNOUNCEMENT.test(String(url)),
        );
        expect(reply, body.length > 0 && wrong.length === 0, 'mp3 and aac streams', JSON.stringify(wrong));
      },
    },
    {
      id: '2.7-order',
      statement: 'several streams come in the order they are to be tried, the same in every form',
      run: async (kit) => {
        const station = await kit.subjects.stationId();
        const plain = await kit.call(`/Tune.ashx?id=${station}`);
        const { body } = await kit.json(`/Tune.ashx?id=${station}`);
        const lines = (textOf(plain) ?? '').trim().split('\n');
        const urls = body.map(({ url }) => String(url));
        expect(plain, lines.join('\n') === urls.join('\n'), urls.join(' '), lines.join(' '));
      },
    },
  ],
};
