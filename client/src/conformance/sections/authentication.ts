import { expect, type Section } from '../check.ts';
import { newSerial } from '../members.ts';
import { expectFault } from '../saver.ts';

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
