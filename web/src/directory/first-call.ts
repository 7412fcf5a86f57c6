declare global {
  /** What first-call.js left. */
  var longwaveFirst: FirstCall | undefined;
}

interface FirstCall {
  /** Two letters; where the listener seems to be, by time zone and language. */
  country?: string;
  /** Of the call that was begun, on the home page. */
  url?: string;
  /** Undefined where it failed: then it is asked for again, and the failure shown. */
  answer?: Promise<Response | undefined>;
}

/** Undefined where nothing tells it. */
export const guessedCountry = (): string | undefined => globalThis.longwaveFirst?.country;

/** The answer that was asked for before the program was there, if this is the same call; once. */
export async function takeFirst(pathAndQuery: string): Promise<Response | undefined> {
  const first = globalThis.longwaveFirst;
  if (first?.url === undefined || nameOf(first.url) !== nameOf(pathAndQuery)) return undefined;
  const answer = await first.answer;
  return answer?.bodyUsed === false ? answer : undefined;
}

const nameOf = (url: string): string => {
  const [path, query] = url.split('?', 2);
  const params = new URLSearchParams(query);
  params.sort();
  return `${path}?${params.toString()}`;
};
