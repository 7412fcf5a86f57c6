import { type ReactNode, Suspense } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { Broken } from '../design/Broken.tsx';
import { Slow } from '../design/Slow.tsx';
import { SessionProvider } from '../session/SessionProvider.tsx';
import { WordsProvider } from '../words/WordsProvider.tsx';
import { Fence } from './Fence.tsx';
import { Layout } from './Layout.tsx';
import { Main } from './Main.tsx';
import { PageAddress } from './PageAddress.tsx';
import { NotFound, ROUTES } from './routes.ts';

const BASE = '/listen';

/** The player stands in the layout, outside of what changes with the address: no page can interrupt it. */
export function App(): ReactNode {
  return (
    <WordsProvider>
      <SessionProvider>
        <Router base={BASE}>
          <Layout>
            <PageAddress base={BASE}>
              <Main>
                <Pages />
              </Main>
            </PageAddress>
          </Layout>
        </Router>
      </SessionProvider>
    </WordsProvider>
  );
}

function Pages(): ReactNode {
  const [address] = useLocation();
  return (
    <Fence
      address={address}
      broken={(error, again) => <Broken error={error} again={isMissing(error) ? reload : again} level={1} />}
    >
      <Suspense fallback={<Slow />}>
        <Switch>
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
