import type { Action, Answer, Call } from '../http/endpoint.ts';
import type { OpmlDocument } from '../opml/document.ts';
import { unknownClassifier } from './faults.ts';

/** More than any client asks for at once. */
const MOST_AT_ONCE = 6;

/** `c=index,best`: the menus one after the other, under the title of the first. */
export async function joinMenus(call: Call, actions: ReadonlyMap<string, Action>): Promise<Answer> {
  const names = (call.params.text('c') ?? '').toLowerCase().split(',');
  const chosen = names.map((name) => actions.get(name.trim()));
  if (chosen.length > MOST_AT_ONCE || chosen.length < 2) throw unknownClassifier();
  const documents: OpmlDocument[] = [];
  for (const action of chosen) {
    const answer = await action?.(call);
    if (answer && 'menu' in answer) documents.push(answer.document());
    else if (answer && 'outlines' in answer) documents.push(answer);
    else throw unknownClassifier();
  }
  // What is nobody else's business in one part is so in the whole.
  const noStore = documents.some((document) => 'noStore' in document && document.noStore === true);
  return { title: documents[0]?.title, outlines: documents.flatMap(({ outlines }) => outlines), noStore };
}
