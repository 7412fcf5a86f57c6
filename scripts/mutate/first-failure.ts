import type { TestEvent } from 'node:test/reporters';

/** A reporter for `node --test`: a line of JSON for each test that fails, with its file. */
export default async function* firstFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events)
    if (type === 'test:fail' && data.skip === undefined && data.todo === undefined)
      yield `${JSON.stringify({ file: data.file, name: data.name })}\n`;
}
