import { type ReactNode, Suspense, useDeferredValue } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { Broken } from '../design/Broken.tsx';
import { Slow } from '../design/Slow.tsx';
import { SessionProvider } from '../session/SessionProvider.tsx';
import { WordsProvider } from '../words/WordsProvider.tsx';
import { Fence } from './Fence.tsx';
import { Layout } from './Layout.tsx';
import { NotFound, ROUTES } from './routes.ts';

/** The player stands in the layout, outside of what changes with the address: no page can interrupt it. */
export function App(): ReactNode {
  return (
    <WordsProvider>
      <SessionProvider>
        <Router base="/listen">
          <Layout>
            <Pages />
          </Layout>
        </Router>
      </SessionProvider>
    </WordsProvider>
  );
}

function Pages(): ReactNode {
  const [asked] = useLocation();
  // A click is answered at once, and the page it leads to is drawn in pieces behind it.
  const address = useDeferredValue(asked);
  return (
    <Fence
      address={address}
      broken={(error, again) => <Broken error={error} again={isMissing(error) ? reload : again} level={1} />}
    >
      <Suspense fallback={<Slow />}>
        <Switch location={address}>
          {ROUTES.map(({ path, page }) => (
            <Route key={path} path={path} component={page} />
          ))}
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </Fence>
  );
}

/** A page's file that is gone: the site was built anew since this one was opened. */
const isMissing = (error: unknown): boolean => error instanceof TypeError && /module/i.test(error.message);

const reload = (): void => location.reload();
