/** Who is asking; every call repeats it. */
export interface CallerOptions {
  partnerId?: string | undefined;
  serial?: string | undefined;
  username?: string | undefined;
  /** The formats that can be played, such as `mp3`, `aac`, `hls`; all when none are named. */
  formats?: readonly string[] | undefined;
  /** The kind of device it is, such as `mpd` or `old-radio`: its profile says what it plays. Else the directory concludes. */
  device?: string | undefined;
  /** The language to be answered in: `de`, `pt-BR`. */
  locale?: string | undefined;
  /** Where the listener is: latitude, longitude. */
  latlon?: readonly [latitude: number, longitude: number] | undefined;
}

/** The address of a directory and who is asking. */
export interface DirectoryOptions extends CallerOptions {
  baseUrl: string;
}

export type Params = Readonly<Record<string, string | number | boolean | undefined>>;

/** A call's own parameters, then the caller's; what is not known is not sent. */
export function callParams(options: CallerOptions, params: Params): URLSearchParams {
  const { partnerId, serial, username, formats, device, locale, latlon } = options;
  const globals = {
    formats: formats?.join(','),
    device,
    partnerId,
    serial,
    username,
    locale,
    latlon: latlon?.join(','),
  };
  const sent = new URLSearchParams();
  for (const [name, value] of [...Object.entries<Params[string]>(params), ...Object.entries(globals)]) {
    if (value !== undefined && value !== '' && !sent.has(name)) sent.set(name, String(value));
  }
  return sent;
}

/** The address of one call. A directory may live under a path of its host. */
export function callUrl(options: DirectoryOptions, path: string, params: Params): URL {
  const url = new URL(options.baseUrl.replace(/\/+$/, '') + path);
  url.search = callParams(options, params).toString();
  return url;
}
