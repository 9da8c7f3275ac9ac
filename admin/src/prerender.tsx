import { renderToString } from 'react-dom/server';
import { Root } from './root.tsx';
import { type ScreenName, screens } from './screens.tsx';
import { strings } from './strings.ts';

/** Renders the first view of a path, before any data is loaded, as HTML. Only the build calls this. */
export async function prerender(path: string, screen: string | undefined): Promise<string> {
  if (screen) await screens[screen as ScreenName].load();
  return renderToString(<Root path={path} />);
}

export const titles = {
  signIn: strings.signIn.title,
  forgottenPassword: strings.forgottenPassword.title,
  newPassword: strings.newPassword.resetTitle,
  confirmEmail: strings.confirmEmail.title,
  welcome: strings.welcome.title,
  pages: strings.pages.title,
  revisions: strings.revisions.title,
  images: strings.images.title,
  trash: strings.trash.title,
  overview: strings.frame.overview,
  customers: strings.customers.title,
  newCustomer: strings.customers.add,
  plans: strings.frame.plans,
  templates: strings.frame.templates,
  revenue: strings.frame.revenue,
  brand: strings.frame.brand,
  messages: strings.frame.brandMessages,
  address: strings.frame.brandAddress,
  authorize: strings.authorize.title,
  settings: strings.settings.title,
  site: strings.settings.site.title,
  look: strings.settings.look.title,
  domains: strings.settings.domains.title,
  people: strings.settings.people.title,
  keys: strings.settings.keys.title,
  webhooks: strings.settings.webhooks.title,
  log: strings.settings.log.title,
  archive: strings.settings.archive.title,
  you: strings.settings.you.title,
};
