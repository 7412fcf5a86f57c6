/** An address that is safe in a link: of the web, nothing that runs. Others are shown as plain text. */
export function webAddress(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

/** The displayed form: the host, without `www.`. */
export const hostOf = (address: string): string => new URL(address).host.replace(/^www\./, '');
