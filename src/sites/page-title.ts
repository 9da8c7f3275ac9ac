/* The titles of pages beside the name of their site. The admin app uses them, too, so this file imports nothing. */

interface TitledPage {
  readonly name: string;
  readonly isHome: boolean;
  readonly site: { readonly name: string };
}

/** Returns the page's name; for a home page that is merely called "Home" or the like, the site's name. */
export function titleOf({ site, name, isHome }: TitledPage): string {
  return isHome && homeNames.has(name.toLowerCase()) ? site.name : name;
}

/** Returns "Page · Site". The home page's title begins with the site's name, which is what people look for. */
export function documentTitle(page: TitledPage): string {
  const title = titleOf(page);
  const site = page.site.name;
  if (title === site) return title;
  return page.isHome ? `${site} · ${title}` : `${title} · ${site}`;
}

/** Names that mean no more than "home page", in the languages of the themes, in lower case. */
const homeNames: ReadonlySet<string> = new Set([
  'home',
  'homepage',
  'home page',
  'startseite',
  'accueil',
  'inicio',
  'início',
  'strona główna',
  'acasă',
  'ana sayfa',
  'avaleht',
  'domov',
  'domů',
  'etusivu',
  'forside',
  'forsíða',
  'hem',
  'inici',
  'kezdőlap',
  'početna',
  'pradžia',
  'sākums',
  'trang chủ',
  'αρχική',
  'главная',
  'головна',
  'начало',
  'почетна',
  'דף הבית',
  'الرئيسية',
  'صفحهٔ اصلی',
  'ホーム',
  '首頁',
  '首页',
  '홈',
]);
