import type { Section } from '../../check.ts';
import { expect } from '../../expect.ts';
import { someMenus } from '../../expectations.ts';

/** Specification 9: versioning. */
export const versioning: Section = {
  id: '9',
  title: 'Versioning',
  checks: [
    {
      id: '9-version',
      statement: 'every answer is of version 1',
      run: async (kit) => {
        for (const { reply, document } of await someMenus(kit))
          expect(reply, document.version === '1', 'version="1"', document.version);
      },
    },
    {
      id: '9-no-choice',
      statement: 'no version can be chosen: a parameter of that name changes nothing',
      run: async (kit) => {
        const plain = await kit.success('/Browse.ashx?c=music');
        const chosen = await kit.success('/Browse.ashx?c=music&version=2');
        const isSame = chosen.reply.body.equals(plain.reply.body);
        expect(chosen.reply, isSame, 'the answer without it', chosen.reply.body.toString());
      },
    },
  ],
};
