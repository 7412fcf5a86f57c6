import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { saved } from './saved/saved.ts';
import { keepShellAtHand } from './app/service-worker.ts';

saved.follow();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root"');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
keepShellAtHand();
