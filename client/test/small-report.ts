import { type Call, fault, type Page } from './small-call.ts';
import { link } from './small-directory.ts';

/** What the small directory takes as a report. */
export function reportPage(call: Call): Page {
  const form = FORMS[call.c];
  return form ? form(call) : fault(404, 'api.methodNotFound', 'Invalid method');
}

const FORMS: Record<string, (call: Call) => Page> = { wizard, feedback, stream };

function wizard(call: Call): Page {
  if (call.id === '') return fault(400, 'request.invalid', 'Give an id');
  const answer = call.params.get('answer') ?? '';
  if (answer.includes(',')) return { lines: ['<outline type="text" text="Thank you" nav="stop"/>'] };
  const path = (name: string): string => `/Report.ashx?c=wizard&id=${call.id}&answer=${answer}${name}`;
  const [first, second] = answer === '' ? ['silent', 'details'] : [',name', ',logo'];
  return { lines: [link(call, 'A', path(first), ''), link(call, 'B', path(second), '')] };
}

function feedback(call: Call): Page {
  if (call.id === '') return fault(400, 'request.invalid', 'Give an id');
  if (!call.params.has('text'))
    return fault(400, 'validation.feedback', "Required parameter 'feedback' not provided");
  return { lines: [] };
}

function stream(call: Call): Page {
  if (call.id === '' && !call.params.has('url')) return fault(400, 'request.invalid', 'Give an id or a url');
  if (!/^\d*$/.test(call.params.get('error') ?? '')) return fault(400, 'request.invalid', 'A number');
  return { lines: [] };
}
