import type { Section } from '../../check.ts';
import { expect } from '../../expect.ts';
import { documentOf, successOf } from '../../answer.ts';
import { expectPlaylist } from '../../expectations.ts';
import { newSerial } from '../../members.ts';
import { expectFault } from '../../saver.ts';

/** Specification 5: who may call; the rest of it stands with the endpoints. */
export const authentication: Section = {
  id: '5',
  title: 'Authentication',
  checks: [
    {
      id: '5-partner-invalid',
      statement: 'an invalid partner ID is refused',
      run: async (kit) => {
        kit.members.mayWrite();
        const params = { c: 'listFolders', serial: newSerial(), partnerId: 'no-such-partner' };
        expectFault(await kit.post('/Preset.ashx', params));
      },
    },
    {
      id: '5-partner-refused',
      statement: 'an invalid partner ID is refused by every call, also where none is required',
      run: async (kit) => {
        const id = await kit.subjects.stationId();
        const paths = [
          '/Browse.ashx?',
          '/Browse.ashx?c=music&',
          `/Browse.ashx?id=${id}&`,
          `/Describe.ashx?id=${id}&`,
          '/Search.ashx?query=radio&',
          `/Tune.ashx?c=ebrowse&id=${id}&`,
          `/Report.ashx?c=wizard&id=${id}&`,
        ];
        for (const path of paths) expectFault(documentOf(await kit.get(`${path}partnerId=no-such-partner`)));
        const reply = await kit.get(`/Tune.ashx?id=${id}&partnerId=no-such-partner`);
        const text = reply.body.toString();
        expect(reply, /^#STATUS: \d{3}$/m.test(text) || /<status>4\d\d</.test(text), 'no stream', text);
      },
    },
    {
      id: '5-partner-optional',
      statement: 'elsewhere partnerId is recommended, not required',
      run: async (kit) => {
        const id = await kit.subjects.stationId();
        const paths = [
          '/Browse.ashx',
          '/Browse.ashx?c=music',
          `/Describe.ashx?id=${id}`,
          '/Search.ashx?query=radio',
        ];
        for (const path of paths) successOf(documentOf(await kit.get(path)));
        expectPlaylist(await kit.get(`/Tune.ashx?id=${id}`));
      },
    },
    {
      id: '5-insecure',
      statement: 'a call with a password over plain HTTP is refused, and never redirected',
      run: async (kit) => {
        const { username, password } = await kit.members.account();
        const params = { c: 'listFolders', username, password };
        const answer = await kit.post('/Preset.ashx', params, { isPlain: true });
        expectFault(answer);
        expect(answer.reply, answer.document.outlines.length === 0, 'no folders', 'folders');
      },
    },
  ],
};
