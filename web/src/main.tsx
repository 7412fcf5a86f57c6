import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { preparePage } from './app/routes.ts';
import { useOurFonts } from './design/fonts.ts';
import { firstSpoken } from './i18n/WordsProvider.tsx';
import { saved } from './saved/saved.ts';
import { keepShellAtHand } from './app/service-worker.ts';

saved.follow();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root"');
keepShellAtHand();
// Nothing is shown before its words are there: a page that changes language before one's eyes is worse than a moment's
// wait, in which the page is what the server wrote.
const first = await firstSpoken();
await preparePage(location, first.language);
createRoot(root).render(
  <StrictMode>
    <App first={first} />
  </StrictMode>,
);
void useOurFonts();
