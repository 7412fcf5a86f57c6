/** Makes every call of node-tunein-radio, as a program that uses it does, and prints each answer under its name. */
import { createRequire } from 'node:module';

const [, , folder = '', show = '', username = '', password = ''] = process.argv;
const TuneIn = createRequire(import.meta.url)(folder);
const tunein = new TuneIn({ protocol: 'https', partnerId: 'client-test' });

const calls: Record<string, () => Promise<unknown>> = {
  browse: () => tunein.browse(),
  local: () => tunein.browse_local(),
  music: () => tunein.browse_music(),
  talk: () => tunein.browse_talk(),
  sports: () => tunein.browse_sports(),
  locations: () => tunein.browse_locations(),
  langs: () => tunein.browse_langs(),
  podcast: () => tunein.browse_podcast(),
  popular: () => tunein.browse_popular(),
  best: () => tunein.browse_best(),
  search: () => tunein.search('harbour folk'),
  show: () => tunein.browse_show({ c: 'pbrowse', id: show }),
  tune: () => tunein.tune_radio('s1'),
  describe: () => tunein.describe('s1'),
  nowplaying: () => tunein.describe('s1', true),
  unknown: () => tunein.describe('s999999999'),
  refused: () => tunein.tune_radio('s999999999'),
  authenticate: () => tunein.authenticate({ username, password }),
  wrongPassword: () => tunein.authenticate({ username, password: `not ${password}` }),
  presets: () => tunein.browse({ c: 'presets', username }),
};

/** The client never settles a promise whose answer it cannot read. */
const outOfTime = (): Promise<unknown> =>
  new Promise((resolve) => {
    setTimeout(resolve, 10_000, 'no answer').unref();
  });

const answers: Record<string, unknown> = {};
for (const [name, call] of Object.entries(calls))
  answers[name] = await Promise.race([call().catch((refusal: unknown) => refusal), outOfTime()]);
process.stdout.write(JSON.stringify(answers));
