import type { Section } from '../../check.ts';
import { expect } from '../../expect.ts';
import { someMenus } from '../../expectations.ts';

const FAULTY = '/Browse.ashx?c=no-such-classifier';

/** Specification 2.2: the response document. */
export const responseDocument: Section = {
  id: '2.2',
  title: 'Response document',
  checks: [
    {
      id: '2.2-version',
      statement: 'opml carries version 1, in success and in failure',
      run: async (kit) => {
        const faulty = await kit.fault(FAULTY);
        for (const { reply, document } of [...(await someMenus(kit)), faulty])
          expect(reply, document.version === '1', 'version="1"', `version="${document.version}"`);
      },
    },
    {
      id: '2.2-title',
      statement: 'head may hold one title, never an empty one',
      run: async (kit) => {
        for (const { reply, document } of await someMenus(kit)) {
          const titles = document.head.filter(([name]) => name === 'title');
          const holds = titles.length <= 1 && titles.every(([, text]) => text !== '');
          expect(reply, holds, 'at most one title, with text', JSON.stringify(titles));
        }
      },
    },
    {
      id: '2.2-status',
      statement: 'head holds one integer status, 200 for success',
      run: async (kit) => {
        for (const { reply, document } of [...(await someMenus(kit)), await kit.fault(FAULTY)]) {
          const statuses = document.head.filter(([name]) => name === 'status');
          const holds = statuses.length === 1 && /^\d{3}$/.test(document.status);
          expect(reply, holds, 'one <status> of three digits', JSON.stringify(statuses));
        }
      },
    },
    {
      id: '2.2-fault',
      statement: 'head holds a fault on failure, and none on success',
      run: async (kit) => {
        await kit.fault(FAULTY);
        for (const { reply, document } of await someMenus(kit))
          expect(reply, document.fault === undefined, 'no <fault>', String(document.fault));
      },
    },
    {
      id: '2.2-fault-code',
      statement: 'a fault_code, where there is one, is a short textual code',
      run: async (kit) => {
        const { reply, document } = await kit.fault('/Browse.ashx?id=s');
        const code = document.faultCode ?? 'none';
        expect(reply, /^[A-Za-z][\w.]{1,60}$/.test(code), 'a code such as request.idInvalid', code);
      },
    },
    {
      id: '2.2-body',
      statement: 'body holds zero or more outlines, none on failure',
      run: async (kit) => {
        const { reply, document } = await kit.fault(FAULTY);
        const { length } = document.outlines;
        expect(reply, length === 0, 'an empty body', `${length} outlines`);
      },
    },
  ],
};
