import type { Check, Section } from '../../check.ts';
import { expect } from '../../expect.ts';
import { expectFault } from '../../saver.ts';
import { newAccount } from '../../members.ts';
import { refusedCreate } from '../accounts/account.ts';

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
  ['feedback', 'feedback without words', '/Report.ashx?c=feedback&id=s1', '400', 'validation.feedback'],
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

/** What create refuses, each with its code. */
const CREATE: readonly Check[] = [
  {
    id: '7-email',
    statement: 'create without an e-mail address, or with a malformed one, is validation.email',
    run: refusedCreate('validation.email', { email: '' }, { email: 'ann' }, { email: 'ann@' }),
  },
  {
    id: '7-password',
    statement: 'create without a password, or with a malformed one, is validation.password',
    run: refusedCreate('validation.password', { password: '' }, { password: 'a b c d' }),
  },
  {
    id: '7-location',
    statement: 'create without a place, or in one that is none, is validation.location',
    run: refusedCreate(
      'validation.location',
      { city: '', countryId: '' },
      { countryId: 'n999999999' },
      { city: '', countryId: '', postalCode: 'no such code' },
    ),
  },
  {
    id: '7-username-exists',
    statement: 'create with a name that is taken, in whatever case, is validation.userNameExists',
    run: async (kit) => {
      const { username } = await kit.members.account();
      const params = { ...newAccount(), ...(await kit.members.place()), username: username.toUpperCase() };
      expectFault(await kit.members.ask('create', params), '', 'validation.userNameExists');
    },
  },
  {
    id: '7-email-exists',
    statement: 'create with an e-mail address that is registered is validation.emailExists',
    run: async (kit) => {
      const { email } = await kit.members.account();
      const params = { ...newAccount(), ...(await kit.members.place()), email };
      expectFault(await kit.members.ask('create', params), '', 'validation.emailExists');
    },
  },
  {
    id: '7-error',
    statement: 'create with anything else wrong is validation.error',
    run: refusedCreate('validation.error', { username: 'a name' }),
  },
];

/** Specification 7: errors; those of join and drop stand with Account. */
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
    ...CREATE,
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
