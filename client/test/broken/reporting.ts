import { type Broken, inBody, lenient, refusing } from './break.ts';

/** Section 4.13: what is reported. */
export const REPORTING: readonly Broken[] = [
  ['the wizard has one option', '4.13-wizard', inBody(/c=wizard/, /<outline.*\n/, '')],
  [
    'the wizard asks the same again',
    '4.13-wizard-narrower',
    inBody(
      /c=wizard/,
      /<body>[^]*<\/body>/,
      `<body>
<outline type="link" text="A" URL="http://radio.test/Report.ashx?c=wizard&amp;id=s1&amp;answer=x"/>
<outline type="link" text="B" URL="http://radio.test/Report.ashx?c=wizard&amp;id=s1&amp;answer=x"/>
</body>`,
    ),
  ],
  [
    'the wizard says nothing at its end',
    '4.13-wizard-end',
    inBody(/c=wizard/, /<outline type="text".*\n/, ''),
  ],
  [
    'Report takes anything',
    '4.13-wizard-id 4.13-feedback-id 4.13-stream-required 4.13-stream-numeric 4.13-c 7-feedback',
    lenient(/Report/),
  ],
  [
    'Report takes nothing',
    '4.13-feedback 4.13-feedback-post 4.13-post 4.13-stream-url 4.13-stream-error',
    refusing(/Report/),
  ],
  [
    'Report says more than a status',
    '4.13-feedback 4.13-feedback-post 4.13-stream-url 4.13-stream-error',
    inBody(/Report/, '</body>', '<outline type="text" text="Done"/>\n</body>'),
  ],
  ['a fault of feedback has no code', '7-feedback', inBody(/Report/, /<fault_code>.*<\/fault_code>/g, '')],
];
