import { type ReactNode, Suspense } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { Broken } from '../design/Broken.tsx';
import { SessionProvider } from '../session/SessionProvider.tsx';
import { type Spoken, WordsProvider } from '../i18n/WordsProvider.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Layout } from './Layout.tsx';
import { Main } from './Main.tsx';
import { PageAddress } from './PageAddress.tsx';
import { NotFoundRoute, ROUTES } from './routes.ts';
import { SlowPage } from './SlowPage.tsx';

const BASE = '/listen';

/** The player is in the layout, outside the routes: no page change can interrupt it. */
export function App({ first }: { first: Spoken }): ReactNode {
  return (
    <WordsProvider first={first}>
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
    <ErrorBoundary
      address={address}
      broken={(error, again) => <Broken error={error} again={isMissing(error) ? reload : again} level={1} />}
    >
      <Suspense fallback={<SlowPage />}>
        <Switch>
          {ROUTES.map(({ path, page }) => (
            <Route key={path} path={path} component={page} />
          ))}
          <Route component={NotFoundRoute} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}

/** The page's script is gone: the site was rebuilt after this page was opened. */
const isMissing = (error: unknown): boolean => error instanceof TypeError && /module/i.test(error.message);

const reload = (): void => location.reload();
