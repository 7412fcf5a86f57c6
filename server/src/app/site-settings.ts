import { choiceSetting, hostSetting, urlSetting } from './setting.ts';

/** Settings of the site for people. */
export const SITE_SETTINGS = {
  site: choiceSetting({
    name: 'SITE',
    values: ['on', 'off'],
    unset: 'on',
    description:
      'The site for people at `/listen/`, to which browsers that open `/` are redirected. Build it with `npm run build -w web`.',
  }),
  siteHost: hostSetting({
    name: 'SITE_HOST',
    unset: undefined,
    description:
      'A separate host name for the site, with its port unless that is 80 or 443; pages requested under other names are redirected there. Unset, the site is served on the same hosts as the directory.',
  }),
  registrationUrl: urlSetting({
    name: 'REGISTRATION_URL',
    unset: undefined,
    schemes: ['http://', 'https://'],
    secret: false,
    description:
      'The page where a listener registers. The index links to `/listen/register?` on the requested host, which redirects browsers here and shows programs the address. Unset, it is the page of the site itself.',
  }),
} as const;
