import { choiceSetting, hostSetting, urlSetting } from './setting.ts';

/** Settings of what is there beside the radios' protocol: the site for people, and lists for their players. */
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
  homeSignIn: choiceSetting({
    name: 'HOME_SIGN_IN',
    values: ['refuse', 'allow'],
    unset: 'refuse',
    description:
      'Signing in to the site over plain HTTP. `allow` permits it to browsers on this machine and in the home network that open the site by a private address or a name such as `localhost` or `radio.local`; callers from the internet and public names never ([docs/accounts.md](accounts.md#at-home-without-https)). Radios are not concerned: see `LEGACY_CREDENTIALS`.',
  }),
  registrationUrl: urlSetting({
    name: 'REGISTRATION_URL',
    unset: undefined,
    schemes: ['http://', 'https://'],
    secret: false,
    description:
      'The page where a listener registers. The index links to `/listen/register?` on the requested host, which redirects browsers here and shows programs the address. Unset, it is the page of the site itself.',
  }),
  lists: choiceSetting({
    name: 'LISTS',
    values: ['on', 'off'],
    unset: 'on',
    description:
      'Lists for players at `/lists/`: M3U, XMLTV, PLS, XSPF, OPML and RSS of genres, places, searches, stations, shows and presets ([docs/lists.md](lists.md)).',
  }),
  airable: choiceSetting({
    name: 'AIRABLE',
    values: ['on', 'off'],
    unset: 'on',
    description:
      'Menus for radios that were made for airable, at `/frontiersmart/` and at `/` of hosts whose name begins with `airable.` ([docs/devices.md](devices.md#radios-made-for-airable)).',
  }),
  yp: choiceSetting({
    name: 'YP',
    values: ['on', 'read', 'off'],
    unset: 'read',
    description:
      'The protocol of Icecast’s directory ([docs/yp.md](yp.md)): `on` gives `/yp.xml` and lists stations whose servers announce them, once they are heard; `read` gives `/yp.xml` only.',
  }),
  vtuner: choiceSetting({
    name: 'VTUNER',
    values: ['on', 'off'],
    unset: 'on',
    description:
      'The protocol of receivers and radios made for vTuner, and of Frontier radios before 2020, at `/setupapp/` ([docs/vtuner.md](vtuner.md)). Off, `longwave dns` does not answer their names either.',
  }),
  gpodder: choiceSetting({
    name: 'GPODDER',
    values: ['on', 'off'],
    unset: 'on',
    description:
      'Podcast apps keep their subscriptions and positions here, by the API of gpodder.net ([docs/apps.md](apps.md)). Without `MEMBER_KEY` they only find shows.',
  }),
  soundtouch: choiceSetting({
    name: 'SOUNDTOUCH',
    values: ['on', 'off'],
    unset: 'on',
    description:
      'For Bose SoundTouch ([docs/soundtouch.md](soundtouch.md)): the documents that presets of speakers lead to, at `/bmx/`, and the JSON that replacements of their cloud ask for, at `/profiles`.',
  }),
  subsonic: choiceSetting({
    name: 'SUBSONIC',
    values: ['on', 'off'],
    unset: 'on',
    description:
      'Music apps that speak Subsonic have presets as internet radio, podcasts and the directory at `/rest/` ([docs/apps.md](apps.md)). Needs `MEMBER_KEY`.',
  }),
} as const;
