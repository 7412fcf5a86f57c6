import { expect, type Check, type Section } from '../check.ts';

/** Faults of the field notes: the request, and the status and code it has. */
const FAULTS: readonly [id: string, what: string, path: string, status: string, code: string][] = [
  ['method', 'an unknown method', '/NoSuchPage.ashx', '404', 'api.methodNotFound'],
  ['classifier', 'an unknown classifier of Browse', '/Browse.ashx?c=no-such', '400', ''],
  ['browse-id', 'an id that cannot be browsed', '/Browse.ashx?id=local', '400', 'request.idInvalid'],
  ['query', 'a search for nothing', '/Search.ashx', '400', 'request.queryInvalid'],
  [
    'describe-c',
    'an unknown classifier of Describe',
    '/Describe.ashx?c=no-such',
    '404',
    'api.methodNotFound',
  ],
  ['tune-c', 'an unknown classifier of Tune', '/Tune.ashx?c=no-such', '404', 'api.methodNotFound'],
];

const faultCheck = ([id, what, path, status, code]: (typeof FAULTS)[number]): Check => ({
  id: `7-${id}`,
  statement: `${what} is status ${status}${code && `, ${code}`}`,
  run: async (kit) => {
    const { reply, document } = await kit.fault(path);
    const came = [document.status, document.faultCode ?? ''].join(' ');
    const holds = document.status === status && (code === '' || document.faultCode === code);
    expect(reply, holds, `${status} ${code}`, came);
  },
});

/** Specification 7: errors, as far as reading reaches them. */
export const errors: Section = {
  id: '7',
  title: 'Errors',
  checks: [
    {
      id: '7-success',
      statement: 'success is status 200',
      run: (kit) => kit.success('/Browse.ashx'),
    },
    ...FAULTS.map(faultCheck),
    {
      id: '7-hostile',
      statement: 'a classifier such as constructor or __proto__ is a fault like any other',
      run: async (kit) => {
        await kit.fault('/Browse.ashx?c=constructor');
        await kit.fault('/Browse.ashx?c=__proto__');
      },
    },
    {
      id: '7-echo',
      statement: 'what a caller sends never becomes markup of an answer',
      run: async (kit) => {
        const given = encodeURIComponent('"><outline text="x"/>');
        const { reply } = await kit.answer(`/Browse.ashx?c=${given}&serial=${given}`);
        const text = reply.body.toString();
        expect(reply, !text.includes('<outline text="x"'), 'the text escaped', text);
      },
    },
  ],
};
