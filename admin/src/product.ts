/**
 * The product's name, for users without a brand. The service writes it into the page, so that no script contains it. The
 * build renders the page with the default name.
 */
export const product: string = import.meta.env.SSR
  ? 'Freehold'
  : document.querySelector<HTMLMetaElement>('meta[name=application-name]')!.content;
