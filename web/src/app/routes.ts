import type { Language } from '../i18n/languages.ts';
import type { FirstData } from './first-data.ts';
import { part } from './part.ts';

/** Every page of the site, on one screen. A page is a default export, loaded when it is first opened. */
export const ROUTES = [
  { path: '/', ...part(() => import('../pages/home/Home.tsx')) },
  { path: '/browse', ...part(() => import('../pages/browse/Browse.tsx')) },
  { path: '/search', ...part(() => import('../pages/search/Search.tsx')) },
  { path: '/suggest', ...part(() => import('../pages/suggest/Suggest.tsx')) },
  { path: '/station/:id', ...part(() => import('../pages/station/Station.tsx')) },
  { path: '/show/:id', ...part(() => import('../pages/show/Show.tsx')) },
  { path: '/map', ...part(() => import('../pages/map/Map.tsx')) },
  { path: '/sign-in', ...part(() => import('../pages/sign-in/SignIn.tsx')) },
  { path: '/register', ...part(() => import('../pages/register/Register.tsx')) },
  { path: '/forgotten', ...part(() => import('../pages/forgotten/Forgotten.tsx')) },
  { path: '/new-password', ...part(() => import('../pages/new-password/NewPassword.tsx')) },
  { path: '/presets', ...part(() => import('../pages/presets/Presets.tsx')) },
  { path: '/podcasts', ...part(() => import('../pages/podcasts/Podcasts.tsx')) },
  { path: '/radios', ...part(() => import('../pages/radios/Radios.tsx')) },
  { path: '/operator', ...part(() => import('../pages/operator/Operator.tsx')) },
  { path: '/settings', ...part(() => import('../pages/settings/Settings.tsx')) },
] as const;

export const { Part: NotFoundRoute } = part(() => import('../pages/not-found/NotFound.tsx'));

/** What is not there by then is waited for with the page in view. */
const MAX_WAIT_MS = 400;

/** Loads the page of an address with what it shows first, so that it is drawn with the program and not a moment later. */
export async function preparePage({ pathname, search }: Location, language: Language): Promise<void> {
  const [, name = '', id = ''] = /^\/listen(?:\/([a-z-]+)(?:\/([^/]+))?)?\/?$/.exec(pathname) ?? ['', 'none'];
  const asPath = `/${name}${id === '' ? '' : '/:id'}`;
  const route = ROUTES.find(({ path }) => path === asPath);
  // Where that fails, the page says so when it is drawn.
  const page: object | undefined = await route?.load().catch(() => undefined);
  const asked = page && hasFirst(page) ? page.first({ id, search }, language) : [];
  await Promise.race([
    Promise.allSettled(asked),
    new Promise((resolve) => void setTimeout(resolve, MAX_WAIT_MS)),
  ]);
}

const hasFirst = (page: object): page is { first: FirstData } => 'first' in page;
