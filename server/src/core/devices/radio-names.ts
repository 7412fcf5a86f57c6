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
  {
    name: '*.vtuner.com',
    protocol: 'vtuner',
    isSpoken: true,
    use: 'Yamaha, Denon, Marantz, Onkyo, Pioneer, Grundig, Sagem, Noxon, Libratone and others',
  },
  { name: 'radiodenon.com', protocol: 'vtuner', isSpoken: true, use: 'Denon receivers of 2012 and 2013' },
  { name: '*.radiodenon.com', protocol: 'vtuner', isSpoken: true, use: 'the same' },
  { name: 'radiomarantz.com', protocol: 'vtuner', isSpoken: true, use: 'Marantz receivers of these years' },
  { name: '*.radiomarantz.com', protocol: 'vtuner', isSpoken: true, use: 'the same' },
  { name: '*.radiosetup.com', protocol: 'vtuner', isSpoken: true, use: 'Grundig' },
  { name: '*.noxonserver.eu', protocol: 'vtuner', isSpoken: true, use: 'Noxon' },
  {
    name: '*.wifiradiofrontier.com',
    protocol: 'vtuner',
    isSpoken: true,
    use: 'radios with a Frontier module of the UNDOK era: Hama, TechniSat, Medion, auna, Dual, Roberts and others',
  },
  {
    name: 'time.wifiradiofrontier.com',
    protocol: 'ntp',
    isSpoken: false,
    use: 'the clock and the alarm of Frontier radios',
  },
  { name: 'update.wifiradiofrontier.com', protocol: 'firmware', isSpoken: false, use: 'their firmware' },
  {
    name: 'airable.wifiradiofrontier.com',
    protocol: 'airable',
    isSpoken: false,
    use: 'newer Frontier modules, JSON by HTTPS',
  },
];

/**
 * The names that Longwave answers, as a resolver has to be told of them; without those of protocols that are switched off.
 */
export const listSpokenNames = (off: readonly string[] = []): readonly string[] =>
  RADIO_NAMES.filter(({ isSpoken, protocol }) => isSpoken && !off.includes(protocol)).map(({ name }) => name);

/** Names that keep leading to their owner, though the zone of one leads here. */
export const listNamesLeftAlone = (): readonly string[] =>
  RADIO_NAMES.filter(({ isSpoken }) => !isSpoken).map(({ name }) => name);

/** Whether a host, in lower case, is one that devices of a protocol have built in. */
export const isRadioName = (host: string, protocol: string): boolean =>
  RADIO_NAMES.some(({ name, protocol: spoken }) => spoken === protocol && isBelow(host, name));

/** Whether a host is a name, or below it where that begins with `*.`. */
export const isBelow = (host: string, name: string): boolean =>
  name.startsWith('*.') ? host.endsWith(name.slice(1)) : name === host;
