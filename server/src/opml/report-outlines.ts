import type { MessageKey } from '../words/messages.ts';
import type { Words } from '../words/words.ts';
import type { OpmlDocument, Target } from './document.ts';
import { linkOutline, textOutline } from './outlines.ts';

/** Where an item is reported: the first question of the wizard, or with an answer the next one. */
export const reportTarget = (id: string, answer?: string): Target => ({
  path: '/Report.ashx',
  params: [['c', 'wizard'], ['id', id], ...(answer === undefined ? [] : [['answer', answer] as const])],
});

/** One question of the wizard: a line for each answer. */
export const reportMenu = (
  id: string,
  title: MessageKey,
  lines: readonly { answer: string; words: MessageKey }[],
  words: Words,
): OpmlDocument => ({
  title: words.text(title),
  outlines: lines.map(({ answer, words: key }) => linkOutline(words.text(key), reportTarget(id, answer))),
});

/** The end of the wizard; the last line tells the radio that nothing is behind it. */
export const reportThanks = (ticket: number, words: Words): OpmlDocument => ({
  title: words.text('report.thanks'),
  outlines: [
    textOutline(words.text('report.thanks')),
    { ...textOutline(words.text('report.ticket', { number: ticket }), { key: 'ticket' }), nav: 'stop' },
  ],
});
