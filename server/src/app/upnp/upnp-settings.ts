import { TRANSLATIONS } from '../../core/i18n/translations.ts';
import { DEFAULT_LANGUAGE } from '../../core/i18n/words.ts';
import { choiceSetting, listSetting, portSetting, textSetting, type Setting } from '../settings/setting.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const uuidSetting = (about: {
  name: string;
  description: string;
  unset: undefined;
}): Setting<string | undefined> => ({
  ...about,
  parse: (text) => (UUID.test(text.toLowerCase()) ? text.toLowerCase() : undefined),
  expects: 'a UUID such as 2f402f80-da50-11e1-9b23-001788255acc',
  secret: false,
  write: (value) => value ?? '',
});

/** Settings of `longwave upnp`: docs/upnp.md. */
export const UPNP_SETTINGS = {
  upnp: choiceSetting({
    name: 'UPNP',
    values: ['off', 'on'],
    unset: 'off',
    description:
      'Whether `longwave upnp` may run: then receivers, televisions and players in the home network find the directory among their media servers (docs/upnp.md). It has no passwords, so it answers private addresses only.',
  }),
  upnpName: textSetting({
    name: 'UPNP_NAME',
    expects: 'a line of text',
    unset: 'Longwave',
    description: 'What it is called in their menus.',
  }),
  upnpPort: portSetting({
    name: 'UPNP_PORT',
    unset: 8706,
    description:
      'The port of `longwave upnp`, by plain HTTP. It is found by UDP port 1900, which never changes.',
  }),
  upnpPrivatePort: portSetting({
    name: 'UPNP_PRIVATE_PORT',
    unset: 8707,
    description:
      'The port of `PRIVATE_HOST` at which `longwave upnp` answers `/livez`, `/readyz` and `/metrics`.',
  }),
  upnpInterfaces: listSetting<string>({
    name: 'UPNP_INTERFACES',
    parseItem: (text) => (/^[\w.:@-]{1,40}$/.test(text) ? text : undefined),
    writeItem: (name) => name,
    expects: 'a comma-separated list of interfaces such as eth0, or of their addresses',
    description: 'Where it is announced. Unset, on every interface with a private IPv4 address.',
  }),
  upnpAccount: textSetting({
    name: 'UPNP_ACCOUNT',
    expects: 'the name of an account',
    unset: undefined,
    description:
      'The account whose presets are shown, to everybody in the house. Unset, there are none: UPnP has no login.',
  }),
  upnpLanguage: choiceSetting({
    name: 'UPNP_LANGUAGE',
    values: [...TRANSLATIONS.keys()],
    unset: DEFAULT_LANGUAGE,
    description: 'The language of its folders, for devices that name none.',
  }),
  upnpUuid: uuidSetting({
    name: 'UPNP_UUID',
    unset: undefined,
    description:
      'By what devices recognise the server again. Unset, it follows from the machine (`/etc/machine-id`, or its host name) and `UPNP_PORT`.',
  }),
} as const;
