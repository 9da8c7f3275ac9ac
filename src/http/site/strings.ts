/** The templates' own words. All other text on a site is its owner's. */
export interface Strings {
  skip: string;
  menu: string;
  close: string;
  mainNavigation: string;
  breadcrumbs: string;
  /** The button that opens the pages below one of the menu. */
  pagesIn: (name: string) => string;
  /** Leads to a page that lists all of its sub-pages, where the menu does not. */
  allOf: (name: string) => string;
  /** Leads to the list of all root pages, where the menu does not have them all, and is its title. */
  allPages: string;
  inThisSection: string;
  onThisPage: string;
  earlier: string;
  later: string;
  /** The page that follows. */
  next: string;
  updated: string;
  toTop: string;
  notFoundTitle: string;
  notFoundText: string;
  notFoundHint: string;
  backHome: string;
  placeholderTitle: string;
  placeholderText: string;
  feed: string;
}

const en: Strings = {
  skip: 'Skip to content',
  menu: 'Menu',
  close: 'Close',
  mainNavigation: 'Main',
  breadcrumbs: 'You are here',
  pagesIn: (name) => `Pages in ${name}`,
  allOf: (name) => `All of ${name}`,
  allPages: 'All pages',
  inThisSection: 'In this section',
  onThisPage: 'On this page',
  earlier: 'Earlier',
  later: 'Later',
  next: 'Next',
  updated: 'Updated',
  toTop: 'Back to top',
  notFoundTitle: 'Page not found',
  notFoundText: 'There is no page at this address. It may have moved, or the link may have a typo in it.',
  notFoundHint: 'One of these may be what you were looking for:',
  backHome: 'Go to the home page',
  placeholderTitle: 'This site is being prepared',
  placeholderText: 'There is nothing to see here yet. Please come back soon.',
  feed: 'Feed',
};

const de: Strings = {
  skip: 'Zum Inhalt springen',
  menu: 'Menü',
  close: 'Schließen',
  mainNavigation: 'Hauptmenü',
  breadcrumbs: 'Sie sind hier',
  pagesIn: (name) => `Seiten in „${name}“`,
  allOf: (name) => `Alles in „${name}“`,
  allPages: 'Alle Seiten',
  inThisSection: 'In diesem Bereich',
  onThisPage: 'Auf dieser Seite',
  earlier: 'Frühere',
  later: 'Spätere',
  next: 'Weiter',
  updated: 'Aktualisiert am',
  toTop: 'Nach oben',
  notFoundTitle: 'Seite nicht gefunden',
  notFoundText:
    'Unter dieser Adresse gibt es keine Seite. Vielleicht ist sie umgezogen, oder im Link steckt ein Tippfehler.',
  notFoundHint: 'Vielleicht haben Sie eine dieser Seiten gesucht:',
  backHome: 'Zur Startseite',
  placeholderTitle: 'Diese Website entsteht gerade',
  placeholderText: 'Hier gibt es noch nichts zu sehen. Schauen Sie bald wieder vorbei.',
  feed: 'Feed',
};

const fr: Strings = {
  skip: 'Aller au contenu',
  menu: 'Menu',
  close: 'Fermer',
  mainNavigation: 'Menu principal',
  breadcrumbs: 'Vous êtes ici',
  pagesIn: (name) => `Pages de « ${name} »`,
  allOf: (name) => `Tout « ${name} »`,
  allPages: 'Toutes les pages',
  inThisSection: 'Dans cette rubrique',
  onThisPage: 'Sur cette page',
  earlier: 'Plus anciennes',
  later: 'Plus récentes',
  next: 'Suite',
  updated: 'Mis à jour le',
  toTop: 'Haut de page',
  notFoundTitle: 'Page introuvable',
  notFoundText:
    'Aucune page ne se trouve à cette adresse. Elle a peut-être été déplacée, ou le lien contient une erreur.',
  notFoundHint: 'Vous cherchiez peut-être l’une de ces pages :',
  backHome: 'Retour à l’accueil',
  placeholderTitle: 'Ce site est en préparation',
  placeholderText: 'Il n’y a encore rien à voir ici. Revenez bientôt.',
  feed: 'Flux',
};

const es: Strings = {
  skip: 'Saltar al contenido',
  menu: 'Menú',
  close: 'Cerrar',
  mainNavigation: 'Menú principal',
  breadcrumbs: 'Está aquí',
  pagesIn: (name) => `Páginas de «${name}»`,
  allOf: (name) => `Todo en «${name}»`,
  allPages: 'Todas las páginas',
  inThisSection: 'En esta sección',
  onThisPage: 'En esta página',
  earlier: 'Anteriores',
  later: 'Posteriores',
  next: 'Siguiente',
  updated: 'Actualizado el',
  toTop: 'Volver arriba',
  notFoundTitle: 'Página no encontrada',
  notFoundText: 'No hay ninguna página en esta dirección. Puede que se haya movido o que el enlace tenga un error.',
  notFoundHint: 'Quizá buscaba una de estas páginas:',
  backHome: 'Ir a la página de inicio',
  placeholderTitle: 'Este sitio está en preparación',
  placeholderText: 'Todavía no hay nada que ver. Vuelva pronto.',
  feed: 'Canal Atom',
};

const it: Strings = {
  skip: 'Vai al contenuto',
  menu: 'Menu',
  close: 'Chiudi',
  mainNavigation: 'Menu principale',
  breadcrumbs: 'Ti trovi qui',
  pagesIn: (name) => `Pagine di «${name}»`,
  allOf: (name) => `Tutto su «${name}»`,
  allPages: 'Tutte le pagine',
  inThisSection: 'In questa sezione',
  onThisPage: 'In questa pagina',
  earlier: 'Precedenti',
  later: 'Successive',
  next: 'Avanti',
  updated: 'Aggiornato il',
  toTop: 'Torna su',
  notFoundTitle: 'Pagina non trovata',
  notFoundText: 'A questo indirizzo non c’è nessuna pagina. Forse è stata spostata, o il link contiene un errore.',
  notFoundHint: 'Forse cercavi una di queste pagine:',
  backHome: 'Vai alla pagina iniziale',
  placeholderTitle: 'Questo sito è in preparazione',
  placeholderText: 'Qui non c’è ancora nulla da vedere. Torna presto.',
  feed: 'Feed',
};

const nl: Strings = {
  skip: 'Naar de inhoud',
  menu: 'Menu',
  close: 'Sluiten',
  mainNavigation: 'Hoofdmenu',
  breadcrumbs: 'U bent hier',
  pagesIn: (name) => `Pagina’s in ‘${name}’`,
  allOf: (name) => `Alles in ‘${name}’`,
  allPages: 'Alle pagina’s',
  inThisSection: 'In dit onderdeel',
  onThisPage: 'Op deze pagina',
  earlier: 'Eerdere',
  later: 'Latere',
  next: 'Volgende',
  updated: 'Bijgewerkt op',
  toTop: 'Naar boven',
  notFoundTitle: 'Pagina niet gevonden',
  notFoundText: 'Op dit adres staat geen pagina. Misschien is ze verplaatst, of zit er een tikfout in de link.',
  notFoundHint: 'Misschien zocht u een van deze pagina’s:',
  backHome: 'Naar de homepage',
  placeholderTitle: 'Aan deze site wordt gewerkt',
  placeholderText: 'Er is hier nog niets te zien. Kom gauw nog eens kijken.',
  feed: 'Feed',
};

const pt: Strings = {
  skip: 'Ir para o conteúdo',
  menu: 'Menu',
  close: 'Fechar',
  mainNavigation: 'Menu principal',
  breadcrumbs: 'Está aqui',
  pagesIn: (name) => `Páginas de “${name}”`,
  allOf: (name) => `Tudo em “${name}”`,
  allPages: 'Todas as páginas',
  inThisSection: 'Nesta secção',
  onThisPage: 'Nesta página',
  earlier: 'Anteriores',
  later: 'Posteriores',
  next: 'Seguinte',
  updated: 'Atualizado em',
  toTop: 'Voltar ao topo',
  notFoundTitle: 'Página não encontrada',
  notFoundText: 'Não há nenhuma página neste endereço. Talvez tenha mudado de lugar, ou o link tenha um erro.',
  notFoundHint: 'Talvez procurasse uma destas páginas:',
  backHome: 'Ir para a página inicial',
  placeholderTitle: 'Este site está em preparação',
  placeholderText: 'Ainda não há nada para ver aqui. Volte em breve.',
  feed: 'Feed',
};

const pl: Strings = {
  skip: 'Przejdź do treści',
  menu: 'Menu',
  close: 'Zamknij',
  mainNavigation: 'Menu główne',
  breadcrumbs: 'Jesteś tutaj',
  pagesIn: (name) => `Strony w „${name}”`,
  allOf: (name) => `Wszystko w „${name}”`,
  allPages: 'Wszystkie strony',
  inThisSection: 'W tym dziale',
  onThisPage: 'Na tej stronie',
  earlier: 'Wcześniejsze',
  later: 'Późniejsze',
  next: 'Dalej',
  updated: 'Zaktualizowano',
  toTop: 'Do góry',
  notFoundTitle: 'Nie znaleziono strony',
  notFoundText: 'Pod tym adresem nie ma żadnej strony. Mogła zostać przeniesiona albo w odnośniku jest literówka.',
  notFoundHint: 'Może chodziło o jedną z tych stron:',
  backHome: 'Przejdź do strony głównej',
  placeholderTitle: 'Ta witryna jest w przygotowaniu',
  placeholderText: 'Nie ma tu jeszcze nic do obejrzenia. Zajrzyj wkrótce.',
  feed: 'Kanał Atom',
};

const catalogue: Readonly<Record<string, Strings>> = { en, de, fr, es, it, nl, pt, pl };

/** Returns the words for a language tag (`pt-BR` reads as `pt`); English if there are none. */
export function stringsFor(language: string): Strings {
  const primary = language.toLowerCase().split('-')[0]!;
  return Object.hasOwn(catalogue, primary) ? catalogue[primary]! : en;
}
