import { type ComponentType, lazy, useState } from 'react';
import { loadPart } from './load-part.ts';

/** The screens in files of their own, by their path below src/screens. */
export const screens = {
  'authorize/authorize-screen': lazyScreen(() => import('./screens/authorize/authorize-screen.tsx')),
  'brand/address-screen': lazyScreen(() => import('./screens/brand/address-screen.tsx')),
  'brand/brand-screen': lazyScreen(() => import('./screens/brand/brand-screen.tsx')),
  'brand/messages-screen': lazyScreen(() => import('./screens/brand/messages-screen.tsx')),
  'customers/customer-screen': lazyScreen(() => import('./screens/customers/customer-screen.tsx')),
  'customers/customers-screen': lazyScreen(() => import('./screens/customers/customers-screen.tsx')),
  'customers/import/import-details-screen': lazyScreen(
    () => import('./screens/customers/import/import-details-screen.tsx'),
  ),
  'customers/import/import-screen': lazyScreen(() => import('./screens/customers/import/import-screen.tsx')),
  'customers/new-customer-screen': lazyScreen(() => import('./screens/customers/new-customer-screen.tsx')),
  'editor/editor-screen': lazyScreen(() => import('./screens/editor/editor-screen.tsx')),
  'editor/history/revisions-screen': lazyScreen(() => import('./screens/editor/history/revisions-screen.tsx')),
  'images/images-screen': lazyScreen(() => import('./screens/images/images-screen.tsx')),
  'overview/overview-screen': lazyScreen(() => import('./screens/overview/overview-screen.tsx')),
  'pages/import/page-import-screen': lazyScreen(() => import('./screens/pages/import/page-import-screen.tsx')),
  'plans/plans-screen': lazyScreen(() => import('./screens/plans/plans-screen.tsx')),
  'revenue/figure-screen': lazyScreen(() => import('./screens/revenue/figure-screen.tsx')),
  'revenue/revenue-screen': lazyScreen(() => import('./screens/revenue/revenue-screen.tsx')),
  'settings/settings-screen': lazyScreen(() => import('./screens/settings/settings-screen.tsx')),
  'templates/push-screen': lazyScreen(() => import('./screens/templates/push-screen.tsx')),
  'templates/template-screen': lazyScreen(() => import('./screens/templates/template-screen.tsx')),
  'templates/templates-screen': lazyScreen(() => import('./screens/templates/templates-screen.tsx')),
  'trash/trash-screen': lazyScreen(() => import('./screens/trash/trash-screen.tsx')),
  'sign-in/welcome': lazyScreen(() => import('./screens/sign-in/welcome.tsx')),
  'sign-in/confirm-email': lazyScreen(() => import('./screens/sign-in/confirm-email.tsx')),
};

/** The editor's component that compares two versions of a page, for other screens. */
export const CompareVersions = lazy(() => loadPart(() => import('./screens/editor/history/compare-versions.tsx')));

export type ScreenName = keyof typeof screens;

/**
 * Returns a component that is loaded when it is first shown, or earlier by `load()`, after which it renders synchronously.
 * React cannot hydrate a page while a component suspends: it would discard the prerendered page at the next update.
 */
function lazyScreen<P extends object>(find: () => Promise<{ default: ComponentType<P> }>) {
  const Lazy = lazy(() => loadPart(find));
  let loaded: ComponentType<P> | undefined;
  const load = async () => {
    loaded = (await find()).default;
  };
  function LazyScreen(props: P) {
    const [Component] = useState<ComponentType<P>>(() => loaded ?? Lazy);
    return <Component {...props} />;
  }
  return Object.assign(LazyScreen, { load });
}
