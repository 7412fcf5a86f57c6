/** An address that may stand in a link: of the web, and nothing that runs. Others are texts that somebody wrote. */
export function webAddress(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

/** What is shown of it: the host, without what every host begins with. */
export const hostOf = (address: string): string => new URL(address).host.replace(/^www\./, '');
