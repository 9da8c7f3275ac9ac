import { renderToString } from 'react-dom/server';
import { Root } from './root.tsx';
import { strings } from './strings.ts';

/** What an address shows before anything is known, as HTML. Run by the build alone. */
export function prerender(path: string): string {
  return renderToString(<Root path={path} />);
}

export const titles = {
  signIn: strings.signIn.title,
  forgottenPassword: strings.forgottenPassword.title,
  newPassword: strings.newPassword.resetTitle,
  pages: strings.pages.title,
  images: strings.images.title,
  settings: strings.settings.title,
};
