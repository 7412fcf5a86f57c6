import { type ComponentType, lazy } from 'react';

/** Every page of the site, on one screen. A page is a default export, loaded when it is first opened. */
export const ROUTES = [
  { path: '/', page: lazy(() => import('../pages/home/Home.tsx')) },
  { path: '/browse', page: lazy(() => import('../pages/browse/Browse.tsx')) },
  { path: '/search', page: lazy(() => import('../pages/search/Search.tsx')) },
  { path: '/suggest', page: lazy(() => import('../pages/suggest/Suggest.tsx')) },
  { path: '/station/:id', page: lazy(() => import('../pages/station/Station.tsx')) },
  { path: '/show/:id', page: lazy(() => import('../pages/show/Show.tsx')) },
  { path: '/map', page: lazy(() => import('../pages/map/Map.tsx')) },
  { path: '/sign-in', page: lazy(() => import('../pages/sign-in/SignIn.tsx')) },
  { path: '/register', page: lazy(() => import('../pages/register/Register.tsx')) },
  { path: '/forgotten', page: lazy(() => import('../pages/forgotten/Forgotten.tsx')) },
  { path: '/new-password', page: lazy(() => import('../pages/new-password/NewPassword.tsx')) },
  { path: '/presets', page: lazy(() => import('../pages/presets/Presets.tsx')) },
  { path: '/podcasts', page: lazy(() => import('../pages/podcasts/Podcasts.tsx')) },
  { path: '/radios', page: lazy(() => import('../pages/radios/Radios.tsx')) },
  { path: '/operator', page: lazy(() => import('../pages/operator/Operator.tsx')) },
  { path: '/settings', page: lazy(() => import('../pages/settings/Settings.tsx')) },
] as const satisfies readonly { path: string; page: ComponentType<never> | object }[];

export const NotFoundRoute = lazy(() => import('../pages/not-found/NotFound.tsx'));
