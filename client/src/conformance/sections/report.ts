import { successOf, type Answer } from '../answer.ts';
import type { Section } from '../check.ts';
import { expect } from '../expect.ts';
import { linksIn } from '../expectations.ts';
import type { Kit } from '../kit.ts';
import { attribute } from '../opml.ts';
import { expectFault } from '../saver.ts';

type Params = Readonly<Record<string, string>>;

/** Nobody's: to say that a station's own stream fails would be a lie. */
const ADDRESS = 'http://stream.example.net/longwave-kit';
const SAID = 'The conformance kit says hello; nothing is wrong.';
/** More questions than anybody answers. */
const MAX_QUESTIONS = 10;

const ask = (kit: Kit, params: Params): Promise<Answer> =>
  kit.fresh(`/Report.ashx?${new URLSearchParams(params).toString()}`);

/** A report that is taken, and answered by a status alone. */
async function expectTaken(answer: Promise<Answer>): Promise<void> {
  const { reply, document } = successOf(await answer);
  expect(reply, document.outlines.length === 0, 'a status and no outlines', String(document.outlines.length));
}

/** Answers a question of the wizard after the other, the last line each time. */
async function endOfWizard(kit: Kit): Promise<Answer> {
  let answer = await kit.success(`/Report.ashx?c=wizard&id=${await kit.subjects.stationId()}`);
  for (let asked = 0; asked < MAX_QUESTIONS; asked += 1) {
    const last = linksIn(answer).at(-1);
    if (!last) return answer;
    answer = await kit.follow(attribute(last, 'URL'));
  }
  return answer;
}

/** Specification 4.13: what is reported. */
export const report: Section = {
  id: '4.13',
  title: 'Report',
  checks: [
    {
      id: '4.13-wizard',
      statement: 'c=wizard gives a menu of options to follow',
      run: async (kit) => {
        const answer = await kit.success(`/Report.ashx?c=wizard&id=${await kit.subjects.stationId()}`);
        expect(answer.reply, linksIn(answer).length > 1, 'several links', String(linksIn(answer).length));
      },
    },
    {
      id: '4.13-wizard-narrower',
      statement: 'an option leads to narrower ones, or to the end',
      run: async (kit) => {
        const first = await kit.success(`/Report.ashx?c=wizard&id=${await kit.subjects.stationId()}`);
        const [option] = linksIn(first);
        const link = option ? attribute(option, 'URL') : '';
        expect(first.reply, link !== '', 'an option with a URL', 'none');
        const second = await kit.follow(link);
        expect(second.reply, !second.reply.body.equals(first.reply.body), 'another menu', 'the same one');
      },
    },
    {
      id: '4.13-wizard-end',
      statement: 'at the end of a path stands a message of thanks',
      run: async (kit) => {
        kit.members.mayWrite();
        const answer = await endOfWizard(kit);
        const texts = answer.document.outlines.filter((line) => attribute(line, 'type') === 'text');
        const isEnd = texts.length > 0 && linksIn(answer).length === 0;
        expect(answer.reply, isEnd, 'text and no more links', `${linksIn(answer).length} links`);
      },
    },
    {
      id: '4.13-wizard-id',
      statement: 'c=wizard needs an id',
      run: async (kit) => expectFault(await ask(kit, { c: 'wizard' })),
    },
    {
      id: '4.13-feedback',
      statement: 'c=feedback takes a text about an item, and answers by a status alone',
      run: async (kit) => {
        kit.members.mayWrite();
        await expectTaken(ask(kit, { c: 'feedback', id: await kit.subjects.stationId(), text: SAID }));
      },
    },
    {
      id: '4.13-feedback-post',
      statement: 'the same as a form, with an e-mail address',
      run: async (kit) => {
        kit.members.mayWrite();
        const id = await kit.subjects.stationId();
        const params = { c: 'feedback', id, text: `${SAID} `.repeat(20), email: 'kit@longwave-kit.example' };
        await expectTaken(kit.post('/Report.ashx', params));
      },
    },
    {
      id: '4.13-post',
      statement: 'the other forms by POST too, with the same names',
      run: async (kit) => {
        kit.members.mayWrite();
        const id = await kit.subjects.stationId();
        const wizard = successOf(await kit.post('/Report.ashx', { c: 'wizard', id }));
        expect(wizard.reply, linksIn(wizard).length > 1, 'several links', String(linksIn(wizard).length));
        await expectTaken(kit.post('/Report.ashx', { c: 'stream', url: ADDRESS, message: SAID }));
      },
    },
    {
      id: '4.13-feedback-id',
      statement: 'c=feedback needs an id',
      run: async (kit) => expectFault(await ask(kit, { c: 'feedback', text: SAID })),
    },
    {
      id: '4.13-stream-url',
      statement: 'c=stream takes an address and a message, and answers by a status alone',
      run: async (kit) => {
        kit.members.mayWrite();
        await expectTaken(ask(kit, { c: 'stream', url: ADDRESS, message: SAID }));
      },
    },
    {
      id: '4.13-stream-error',
      statement: 'c=stream takes an id, an address and an error number',
      run: async (kit) => {
        kit.members.mayWrite();
        const id = await kit.subjects.stationId();
        await expectTaken(ask(kit, { c: 'stream', id, url: ADDRESS, error: '1' }));
      },
    },
    {
      id: '4.13-stream-required',
      statement: 'c=stream needs an id or an address',
      run: async (kit) => expectFault(await ask(kit, { c: 'stream', error: '1' })),
    },
    {
      id: '4.13-stream-numeric',
      statement: 'error is a number',
      run: async (kit) => expectFault(await ask(kit, { c: 'stream', url: ADDRESS, error: 'it broke' })),
    },
    {
      id: '4.13-c',
      statement: 'c names a form; another is a fault',
      run: async (kit) => expectFault(await ask(kit, { c: 'no-such' })),
    },
  ],
};
