import type { ReactNode } from 'react';
import { Slow } from '../design/Slow.tsx';
import { firstFacts } from './first-facts.ts';

/** In the place of a page that is on its way: what the server wrote of it, so that nothing flashes by. */
export function SlowPage(): ReactNode {
  const facts = firstFacts();
  return facts ? <div ref={(box) => box?.append(facts)} data-slow /> : <Slow />;
}
