import { Button, Center, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { isSignedOut, isVisitOver } from './api-error.ts';
import { explain, frameOf } from './explain.ts';
import { firstPath } from './first-screen.ts';
import { Boundary, reloadDocument } from './parts/boundary.tsx';
import { CompareContext } from './parts/compare-context.ts';
import { ErrorScreen } from './parts/error-notice.tsx';
import { Frame } from './parts/frame.tsx';
import { NotFound } from './parts/not-found.tsx';
import { permitted } from './parts/permitted.tsx';
import { showLasting } from './parts/undo.tsx';
import { PagesScreen } from './screens/pages/pages-screen.tsx';
import { Card } from './screens/sign-in/card.tsx';
import { ForgottenPassword } from './screens/sign-in/forgotten-password.tsx';
import { NewPassword } from './screens/sign-in/new-password.tsx';
import { SignIn } from './screens/sign-in/sign-in.tsx';
import { SignInAgain } from './screens/sign-in/sign-in-again.tsx';
import { VisitOver, VisitOverCover } from './screens/sign-in/visit-over.tsx';
import { CompareVersions, screens } from './screens.tsx';
import { SessionContext, sessionQuery, unknownSession } from './session.ts';
import { takeUserChange, useHasEnded } from './signed-in.ts';
import { strings } from './strings.ts';

const AddressScreen = permitted('manage_brand', screens['brand/address-screen']);
const AuthorizeScreen = screens['authorize/authorize-screen'];
const BrandScreen = permitted('manage_brand', screens['brand/brand-screen']);
const ConfirmEmail = screens['sign-in/confirm-email'];
const CustomerScreen = permitted('view_customers', screens['customers/customer-screen']);
const CustomersScreen = permitted('view_customers', screens['customers/customers-screen']);
const EditorScreen = screens['editor/editor-screen'];
const FigureScreen = permitted('view_revenue', screens['revenue/figure-screen']);
const ImagesScreen = permitted('view_pages', screens['images/images-screen']);
const ImportDetailsScreen = permitted('manage_customers', screens['customers/import/import-details-screen']);
const ImportScreen = permitted('manage_customers', screens['customers/import/import-screen']);
const PageImportScreen = permitted('administer_pages', screens['pages/import/page-import-screen']);
const MessagesScreen = permitted('manage_brand', screens['brand/messages-screen']);
const NewCustomerScreen = permitted('manage_customers', screens['customers/new-customer-screen']);
const OverviewScreen = permitted('view_customers', screens['overview/overview-screen']);
const PlansScreen = permitted('manage_plans', screens['plans/plans-screen']);
const PushScreen = permitted('manage_customers', screens['templates/push-screen']);
const RevenueScreen = permitted('view_revenue', screens['revenue/revenue-screen']);
const RevisionsScreen = screens['editor/history/revisions-screen'];
const SettingsScreen = screens['settings/settings-screen'];
const TemplateScreen = permitted('manage_customers', screens['templates/template-screen']);
const TemplatesScreen = permitted('manage_customers', screens['templates/templates-screen']);
const TrashScreen = permitted('view_pages', screens['trash/trash-screen']);
const Welcome = screens['sign-in/welcome'];

/** The app: the screen for the current address. */
export function App() {
  const [location] = useLocation();
  return (
    <Boundary at={location} fallback={(error) => <Unknown error={error} onRetry={reloadDocument} />}>
      <Switch>
        <Route path="/sign-in" component={SignIn} />
        <Route path="/forgotten-password" component={ForgottenPassword} />
        <Route path="/reset-password" component={NewPassword} />
        <Route path="/confirm-email">
          <Suspense fallback={<Waiting />}>
            <ConfirmEmail />
          </Suspense>
        </Route>
        <Route path="/welcome">
          <Suspense fallback={<Waiting />}>
            <Welcome />
          </Suspense>
        </Route>
        <Route>
          <SignedIn />
        </Route>
      </Switch>
    </Boundary>
  );
}

function SignedIn() {
  const [path] = useLocation();
  // In another tab, the user may have signed out, or another user may have signed in.
  const session = useQuery({ ...sessionQuery, refetchOnWindowFocus: 'always' });
  const isOver = useHasEnded();
  const { account, user, impersonation } = session.data ?? unknownSession;
  const isVisit = impersonation !== null;
  useEffect(() => {
    if (user === unknownSession.user || !takeUserChange()) return;
    showLasting(
      isVisit
        ? strings.visit.followed(account.name, user.name)
        : strings.signInAgain.followed(account.name, account.subdomain, user.name),
    );
  }, [account, user, isVisit]);
  if (isVisitOver(session.error) && !session.data) return <VisitOver />;
  if (isSignedOut(session.error) && !session.data) {
    const here = `${location.pathname}${location.search}`;
    return <Redirect to={here === '/' ? '/sign-in' : `/sign-in?then=${encodeURIComponent(here)}`} replace />;
  }
  if (session.error && !session.data) return <Unknown error={session.error} onRetry={() => session.refetch()} />;
  const isKnown = session.data !== undefined;
  const maySeePages = !isKnown || user.permissions.includes('view_pages');
  return (
    <SessionContext value={session.data ?? unknownSession}>
      <Frame>
        <Boundary at={path} fallback={(error) => <ErrorScreen error={error} onRetry={reloadDocument} />}>
          <Suspense fallback={<Waiting />}>
            <Switch>
              <Route path="/">
                <Redirect to={firstPath(session.data ?? unknownSession)} replace />
              </Route>
              {!maySeePages && (
                <Route path={/^\/pages(\/|$)/}>
                  <Redirect to="/customers" replace />
                </Route>
              )}
              <Route path="/pages" component={PagesScreen} />
              <Route path="/pages/import" component={PageImportScreen} />
              <Route path="/pages/:id">{({ id }) => <EditorScreen key={id} id={Number(id)} />}</Route>
              <Route path="/pages/:id/revisions">{({ id }) => <RevisionsScreen key={id} id={Number(id)} />}</Route>
              <Route path="/images" component={ImagesScreen} />
              <Route path="/trash">
                <TrashScreen kind="pages" />
              </Route>
              <Route path="/trash/images">
                <TrashScreen kind="images" />
              </Route>
              <Route path="/overview" component={OverviewScreen} />
              <Route path="/customers" component={CustomersScreen} />
              <Route path="/customers/new" component={NewCustomerScreen} />
              <Route path="/customers/import" component={ImportScreen} />
              <Route path="/customers/import/:id">{({ id }) => <ImportDetailsScreen key={id} id={Number(id)} />}</Route>
              <Route path="/customers/:id">{({ id }) => <CustomerScreen key={id} id={Number(id)} />}</Route>
              <Route path="/plans" component={PlansScreen} />
              <Route path="/templates" component={TemplatesScreen} />
              <Route path="/templates/:id">
                {({ id }) => (
                  <CompareContext value={CompareVersions}>
                    <TemplateScreen key={id} id={Number(id)} />
                  </CompareContext>
                )}
              </Route>
              <Route path="/templates/:id/pushes/:push">
                {({ id, push }) => (
                  <CompareContext value={CompareVersions}>
                    <PushScreen key={push} templateId={Number(id)} id={Number(push)} />
                  </CompareContext>
                )}
              </Route>
              <Route path="/brand" component={BrandScreen} />
              <Route path="/brand/address" component={AddressScreen} />
              <Route path="/brand/messages" component={MessagesScreen} />
              <Route path="/revenue" component={RevenueScreen} />
              <Route path="/revenue/customers" component={FigureScreen} />
              <Route path="/authorize" component={AuthorizeScreen} />
              <Route path="/settings/:section?">{({ section }) => <SettingsScreen section={section} />}</Route>
              <Route>{isKnown ? <NotFound /> : <Waiting />}</Route>
            </Switch>
          </Suspense>
        </Boundary>
      </Frame>
      {isOver && (isVisit ? <VisitOverCover /> : <SignInAgain />)}
    </SessionContext>
  );
}

/** Shows an error without the app's frame, when the user is unknown or no screen can be shown. */
function Unknown({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const { title, retry } = frameOf(error);
  return (
    <Card title={title}>
      <Text role="alert">{explain(error)}</Text>
      <Button variant="default" onClick={() => onRetry()}>
        {retry}
      </Button>
    </Card>
  );
}

function Waiting() {
  return (
    <Center h="60vh">
      <Loader type="dots" aria-hidden />
    </Center>
  );
}
