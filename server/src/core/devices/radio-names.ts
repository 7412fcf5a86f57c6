/** A host name that radios have built in. */
export interface RadioName {
  /** In lower case; `*.` in front means every name below it. */
  name: string;
  /** The folder of `protocols` that answers what is asked there, or what it would be if there were one. */
  protocol: string;
  /** False where Longwave does not speak that protocol: such a name keeps leading to its owner. */
  isSpoken: boolean;
  /** Who asks for it, and for what. */
  use: string;
}

/**
 * Every host name known to be asked for. A protocol adds its names here; `longwave dns`, the doctor and the documents read
 * this list.
 */
export const RADIO_NAMES: readonly RadioName[] = [
  {
    name: 'opml.radiotime.com',
    protocol: 'radiotime',
    isSpoken: true,
    use: 'menus and streams, all devices',
  },
  { name: 'opml.tunein.com', protocol: 'radiotime', isSpoken: true, use: 'the same by its other name' },
  { name: 'dev-opml.tunein.com', protocol: 'radiotime', isSpoken: true, use: 'web players set to "beta"' },
  {
    name: 'air.radiotime.com',
    protocol: 'broadcasters',
    isSpoken: true,
    use: 'songs that stations report, and the index for a few programs',
  },
  {
    name: 'api.radiotime.com',
    protocol: 'profiles',
    isSpoken: false,
    use: 'newer apps, JSON of another form',
  },
  { name: '*.api.radiotime.com', protocol: 'profiles', isSpoken: false, use: 'the same' },
  { name: 'api.tunein.com', protocol: 'profiles', isSpoken: false, use: 'the same' },
  { name: 'legato.radiotime.com', protocol: 'smapi', isSpoken: false, use: 'Sonos players, by SOAP' },
];

/** The names that Longwave answers, as a resolver has to be told of them. */
export const listSpokenNames = (): readonly string[] =>
  RADIO_NAMES.filter(({ isSpoken }) => isSpoken).map(({ name }) => name);
