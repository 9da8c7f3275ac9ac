/**
 * The name of the product, for people who see no brand. The service writes it into the page, so that no script has it. The build
 * renders the page with it.
 */
export const product: string = import.meta.env.SSR
  ? 'Freehold'
  : document.querySelector<HTMLMetaElement>('meta[name=application-name]')!.content;
