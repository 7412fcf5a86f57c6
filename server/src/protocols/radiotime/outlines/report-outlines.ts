import type { MessageKey } from '../../../core/i18n/en.ts';
import type { Words } from '../../../core/i18n/words.ts';
import type { OpmlDocument, Target } from '../../../formats/opml/document.ts';
import { linkOutline, textOutline } from '../../../formats/opml/outlines.ts';

/** The report wizard for an item: its first question, or with an answer the next one. */
export const reportTarget = (id: string, answer?: string): Target => ({
  path: '/Report.ashx',
  params: [['c', 'wizard'], ['id', id], ...(answer === undefined ? [] : [['answer', answer] as const])],
});

/** One question of the wizard, with a line for each answer. */
export const reportMenu = (
  id: string,
  title: MessageKey,
  lines: readonly { answer: string; words: MessageKey }[],
  words: Words,
): OpmlDocument => ({
  title: words.text(title),
  outlines: lines.map(({ answer, words: key }) => linkOutline(words.text(key), reportTarget(id, answer))),
});

/** The end of the wizard; the last line tells the radio that nothing follows. */
export const reportThanks = (ticket: number, words: Words): OpmlDocument => ({
  title: words.text('report.thanks'),
  outlines: [
    textOutline(words.text('report.thanks')),
    { ...textOutline(words.text('report.ticket', { number: ticket }), { key: 'ticket' }), nav: 'stop' },
  ],
});
