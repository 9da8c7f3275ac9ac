import { type ComponentType, lazy, useState } from 'react';
import { loadPart } from './load-part.ts';

/** The screens in files of their own, by their path below src/screens. */
export const screens = {
  'authorize/authorize-screen': later(() => import('./screens/authorize/authorize-screen.tsx')),
  'brand/address-screen': later(() => import('./screens/brand/address-screen.tsx')),
  'brand/brand-screen': later(() => import('./screens/brand/brand-screen.tsx')),
  'brand/messages-screen': later(() => import('./screens/brand/messages-screen.tsx')),
  'customers/customer-screen': later(() => import('./screens/customers/customer-screen.tsx')),
  'customers/customers-screen': later(() => import('./screens/customers/customers-screen.tsx')),
  'customers/import/import-details-screen': later(() => import('./screens/customers/import/import-details-screen.tsx')),
  'customers/import/import-screen': later(() => import('./screens/customers/import/import-screen.tsx')),
  'customers/new-customer-screen': later(() => import('./screens/customers/new-customer-screen.tsx')),
  'editor/editor-screen': later(() => import('./screens/editor/editor-screen.tsx')),
  'editor/history/revisions-screen': later(() => import('./screens/editor/history/revisions-screen.tsx')),
  'images/images-screen': later(() => import('./screens/images/images-screen.tsx')),
  'overview/overview-screen': later(() => import('./screens/overview/overview-screen.tsx')),
  'pages/import/page-import-screen': later(() => import('./screens/pages/import/page-import-screen.tsx')),
  'plans/plans-screen': later(() => import('./screens/plans/plans-screen.tsx')),
  'revenue/figure-screen': later(() => import('./screens/revenue/figure-screen.tsx')),
  'revenue/revenue-screen': later(() => import('./screens/revenue/revenue-screen.tsx')),
  'settings/settings-screen': later(() => import('./screens/settings/settings-screen.tsx')),
  'templates/push-screen': later(() => import('./screens/templates/push-screen.tsx')),
  'templates/template-screen': later(() => import('./screens/templates/template-screen.tsx')),
  'templates/templates-screen': later(() => import('./screens/templates/templates-screen.tsx')),
  'trash/trash-screen': later(() => import('./screens/trash/trash-screen.tsx')),
  'sign-in/welcome': later(() => import('./screens/sign-in/welcome.tsx')),
  'sign-in/confirm-email': later(() => import('./screens/sign-in/confirm-email.tsx')),
};

/** The editor's component that compares two versions of a page, for other screens. */
export const CompareVersions = lazy(() => loadPart(() => import('./screens/editor/history/compare-versions.tsx')));

export type ScreenName = keyof typeof screens;

/**
 * Returns a component that is loaded when it is first shown, or earlier by `load()`, after which it renders synchronously.
 * React cannot hydrate a page while a component suspends: it would discard the prerendered page at the next update.
 */
function later<P extends object>(find: () => Promise<{ default: ComponentType<P> }>) {
  const Lazy = lazy(() => loadPart(find));
  let loaded: ComponentType<P> | undefined;
  const load = async () => {
    loaded = (await find()).default;
  };
  function Later(props: P) {
    const [Component] = useState<ComponentType<P>>(() => loaded ?? Lazy);
    return <Component {...props} />;
  }
  return Object.assign(Later, { load });
}
