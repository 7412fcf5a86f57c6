/** The address of a directory and who is asking; every call repeats the latter. */
export interface DirectoryOptions {
  baseUrl: string;
  partnerId?: string;
  serial?: string;
  username?: string;
  formats?: readonly string[];
  locale?: string;
}

/** The address of one call: path, its own parameters, then the caller's. */
export function callUrl(options: DirectoryOptions, path: string, params: Record<string, string>): URL {
  const url = new URL(path, options.baseUrl);
  const { partnerId, serial, username, formats, locale } = options;
  const globals = { formats: formats?.join(','), partnerId, serial, username, locale };
  for (const [name, value] of Object.entries({ ...params, ...globals })) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}
