import { type ReactNode, Suspense } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { Broken } from '../design/Broken.tsx';
import { SessionProvider } from '../session/SessionProvider.tsx';
import { type Spoken, WordsProvider } from '../i18n/WordsProvider.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Layout } from './layout/Layout.tsx';
import { Main } from './layout/Main.tsx';
import { PageAddress } from './PageAddress.tsx';
import { PartMissing } from './part.ts';
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
      broken={(error, again) => (
        <Broken error={error} again={isGone(error) ? reload : again} whenBack={again} level={1} />
      )}
    >
      <Suspense fallback={<SlowPage />}>
        <Switch>
          {ROUTES.map(({ path, Part }) => (
            <Route key={path} path={path} component={Part} />
          ))}
          <Route component={NotFoundRoute} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}

/** The page's script is gone, it seems: the site was rebuilt after this page was opened. */
const isGone = (error: unknown): boolean => error instanceof PartMissing && error.hadNetwork;

const reload = (): void => location.reload();
