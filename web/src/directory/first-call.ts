declare global {
  /** What first-call.js left. */
  var longwaveFirst: First | undefined;
}

interface First {
  /** Two letters; where the listener seems to be, by time zone and language. */
  country: () => string | undefined;
  /** They begin when they are first asked for, here or once the page is seen. */
  calls: () => FirstCall[];
}

interface FirstCall {
  url: string;
  /** Undefined where it failed: then it is asked for again, and the failure shown. */
  answer: Promise<Response | undefined>;
}

/** Undefined where nothing tells it. */
export const guessedCountry = (): string | undefined => globalThis.longwaveFirst?.country();

/** The answer that was asked for before the program was there, if this is the same call; once. */
export async function takeFirst(pathAndQuery: string): Promise<Response | undefined> {
  const calls = globalThis.longwaveFirst?.calls() ?? [];
  const name = nameOf(pathAndQuery);
  const at = calls.findIndex(({ url }) => nameOf(url) === name);
  return at < 0 ? undefined : calls.splice(at, 1)[0]?.answer;
}

const nameOf = (url: string): string => {
  const [path, query] = url.split('?', 2);
  const params = new URLSearchParams(query);
  params.sort();
  return `${path}?${params.toString()}`;
};
