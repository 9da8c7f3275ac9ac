import type { NavigationItem, PageView, SiteView } from '../src/http/site/view.ts';
import type { PagePicture } from '../src/sites/page-pictures.ts';
import { everyElement } from './site-prose.ts';

/*
 * Pages as the templates get them: typical ones and extreme ones.
 */

const firm: SiteView = {
  name: 'Harrow & Daughters',
  address: 'https://harrow.example.com',
  language: 'en-GB',
  timeZone: 'Europe/London',
  theme: 'typographic',
  accent: '#b4532a',
};

const DAY_MS = 86_400_000;
const today = Date.UTC(2026, 4, 12);

/** A picture of a page, which the view server draws. */
function drawing(seed: number): PagePicture {
  return { hash: String(seed).padStart(32, '0'), width: 1200, height: 800, alt: '' };
}

function item(name: string, path: string, children: NavigationItem[] = []): NavigationItem {
  return { name, path, children, isCurrent: false, isAncestor: false, hasMore: false };
}

/** Marks the current page and its ancestors. */
function at(path: string, items: NavigationItem[]): NavigationItem[] {
  return items.map((one) => ({
    ...one,
    isCurrent: one.path === path,
    isAncestor: one.path !== '/' && path.startsWith(`${one.path}/`),
    children: at(path, one.children),
  }));
}

const firmPages = [
  item('Home', '/'),
  item('Timber frames', '/timber-frames', [
    { ...item('Oak barns', '/timber-frames/oak-barns'), picture: drawing(1) },
    { ...item('Garden rooms', '/timber-frames/garden-rooms'), picture: drawing(2) },
    item('Extensions', '/timber-frames/extensions'),
    item('Repairs to old frames', '/timber-frames/repairs'),
  ]),
  item('Journal', '/journal', [
    item('How an oak frame moves', '/journal/how-an-oak-frame-moves'),
    item('Raising day at Millbrook', '/journal/raising-day'),
  ]),
  item('About us', '/about'),
  item('Contact', '/contact'),
];

function view(changes: Partial<PageView> & { site?: SiteView }): PageView {
  const path = changes.path ?? '/';
  return {
    site: firm,
    kind: 'page',
    search: undefined,
    name: 'Home',
    path,
    isHome: path === '/',
    isHidden: false,
    description: '',
    excerpt: '',
    bodyHtml: '',
    hasTitle: false,
    headings: [],
    navigation: at(path, firmPages),
    navigationHasMore: false,
    breadcrumbs: [],
    subPages: [],
    secondButton: undefined,
    earlier: undefined,
    later: undefined,
    date: today - 40 * DAY_MS,
    updatedAt: today,
    ...changes,
  };
}

export const home = view({
  description:
    'Oak frames for barns, houses and garden rooms, cut by hand in Herefordshire and raised all over the Marches.',
  excerpt:
    'Oak frames for barns, houses and garden rooms, cut by hand in Herefordshire and raised all over the Marches.',
  bodyHtml: `<p>We are a family workshop of seven. We draw, cut and raise green oak frames that will outlive us, and we look after
those that others made four hundred years ago. Every joint is cut here, in the yard behind the old <a href="/about">creamery</a>.</p>
<h2 id="what-we-build">What we build</h2>
<p>Barns that are worked in, rooms that are lived in, and the occasional bridge. If it stands on posts and is held together
with pegs, we would like to hear about it. Have a look at <a href="/timber-frames">our frames</a>, or come and see us on
a Friday afternoon, when the kettle is on.</p>
<blockquote><p>They told us where the sun would be at four o’clock in October, and turned the whole thing by eleven degrees.
They were right.</p><p>— Ruth and Owen, Millbrook Farm</p></blockquote>
<h2 id="how-it-goes">How it goes</h2>
<ol><li><p><strong>We visit.</strong> An hour on your land tells us more than a month of letters.</p></li>
<li><p><strong>We draw.</strong> You get a model you can turn in your hands, and a price that stays.</p></li>
<li><p><strong>We cut.</strong> Six to ten weeks in the yard. You are welcome to watch.</p></li>
<li><p><strong>We raise it.</strong> Usually in two days, with more cake than you would expect.</p></li></ol>
<h2 id="where-we-are">Where we are</h2>
<p>The Old Creamery, Weobley, Herefordshire. <a href="/contact">Write or ring</a>; a person answers.</p>`,
  headings: [
    { level: 2, id: 'what-we-build', text: 'What we build' },
    { level: 2, id: 'how-it-goes', text: 'How it goes' },
    { level: 2, id: 'where-we-are', text: 'Where we are' },
  ],
});

/** The home page of a new customer. */
export const welcome = view({
  site: { ...firm, name: 'Northwind Dental', accent: '#0b7285' },
  description: 'Welcome to Northwind Dental: who we are, what we do, and how to reach us.',
  excerpt: 'Welcome to Northwind Dental: who we are, what we do, and how to reach us.',
  hasTitle: true,
  navigation: at('/', [
    item('Home', '/'),
    item('About', '/about'),
    item('Services', '/services'),
    item('Contact', '/contact'),
  ]),
  bodyHtml: `<h1 id="welcome">Welcome to Northwind Dental</h1>
<p>Say here, in a sentence or two, what you do and for whom. Visitors decide within seconds whether they are in the right
place, and this is what they read first.</p>
<h2 id="what">What we do for you</h2><p>Name the two or three things that people come to you for:</p>
<ul><li><strong>The first thing.</strong> What your customers have once you have done it.</li><li><strong>The second
thing.</strong> What makes it easy for them to begin.</li></ul><p><a href="/services">All of our services</a></p>
<h2 id="others">What others say</h2><blockquote><p>Put a sentence here that a happy customer said or wrote.</p></blockquote>`,
  headings: [
    { level: 1, id: 'welcome', text: 'Welcome to Northwind Dental' },
    { level: 2, id: 'what', text: 'What we do for you' },
    { level: 2, id: 'others', text: 'What others say' },
  ],
});

export const article = view({
  name: 'How an oak frame moves, and why that is a good thing',
  path: '/journal/how-an-oak-frame-moves',
  description: 'Green oak shrinks, twists and checks. A good frame is made of that movement.',
  excerpt: 'Green oak shrinks, twists and checks. A good frame is made of that movement, not in spite of it.',
  breadcrumbs: [
    { name: 'Home', path: '/' },
    { name: 'Journal', path: '/journal' },
  ],
  bodyHtml: everyElement,
  headings: [
    { level: 2, id: 'what-green-means', text: 'What green means' },
    { level: 3, id: 'figures', text: 'Figures' },
    { level: 2, id: 'drawing-it', text: 'Drawing it' },
    { level: 2, id: 'questions', text: 'Questions people ask' },
  ],
});

export const section = view({
  name: 'Timber frames',
  path: '/timber-frames',
  description: 'What we build: barns, garden rooms, extensions, repairs.',
  bodyHtml: `<p>Every frame starts as a stand of oak within forty miles of the yard. We choose the trees with the forester,
and the shape of each decides where in the frame it goes: a bend becomes a brace, a fork becomes a post.</p>`,
  subPages: [
    {
      name: 'Oak barns',
      path: '/timber-frames/oak-barns',
      description: 'Three bays or nine, for cattle, carts or Christmas.',
      date: today - 12 * DAY_MS,
      picture: drawing(1),
    },
    {
      name: 'Garden rooms',
      path: '/timber-frames/garden-rooms',
      description: 'A desk, a stove, a view: the smallest frames we make, and the ones we are asked for most.',
      date: today - 80 * DAY_MS,
      picture: drawing(2),
    },
    { name: 'Extensions', path: '/timber-frames/extensions', description: '', date: today - 160 * DAY_MS },
    {
      name: 'Repairs to old frames',
      path: '/timber-frames/repairs',
      description: 'Scarfed feet, new pegs, and the patience to leave alone what still stands.',
      date: today - 420 * DAY_MS,
    },
    {
      name: 'Bridges and lychgates',
      path: '/timber-frames/bridges',
      description: 'Now and then, for a village that asks nicely.',
      date: today - 700 * DAY_MS,
    },
  ],
  earlier: '/timber-frames?before=12',
  later: '/timber-frames?after=3',
});

export const deep = view({
  name: 'Pegs',
  path: '/timber-frames/repairs/joints/pegs',
  description: 'Why pegs are cleft, not turned.',
  breadcrumbs: [
    { name: 'Home', path: '/' },
    { name: 'Timber frames', path: '/timber-frames' },
    { name: 'Repairs to old frames', path: '/timber-frames/repairs' },
    { name: 'Joints', path: '/timber-frames/repairs/joints' },
  ],
  hasTitle: true,
  bodyHtml: `<h1 id="pegs">Pegs are cleft, not turned</h1>
<p>A cleft peg follows the grain from end to end, and bends before it breaks. A turned one is a dowel: it looks the part and
lets go in the first hard winter.</p><p>We make ours from the dry heart of old offcuts, tapered by hand, and drive them
while the frame is still green.</p>`,
  headings: [{ level: 1, id: 'pegs', text: 'Pegs are cleft, not turned' }],
  subPages: [
    { name: 'Draw-boring', path: '/timber-frames/repairs/joints/pegs/draw-boring', description: '', date: today },
    { name: 'A peg a minute', path: '/timber-frames/repairs/joints/pegs/minute', description: '', date: today },
  ],
});

export const bare = view({ name: 'Contact', path: '/contact', bodyHtml: '<p>Ring 01544 555 019.</p>' });

export const notFound = view({ kind: 'not-found', name: 'Not found', path: '/nowhere' });

export const search = view({
  kind: 'search',
  path: '/search.html',
  search: {
    text: 'green oak',
    results: [
      {
        name: 'How an oak frame moves',
        path: '/journal/how-an-oak-frame-moves',
        description:
          '… of green oak lose an inch a year; a ten-inch post would take a decade. So carpenters have always …',
        date: today,
      },
      { name: 'Oak barns', path: '/timber-frames/oak-barns', description: '', date: today },
    ],
    hasMore: true,
  },
});

export const placeholder = view({ kind: 'placeholder', name: 'Harrow & Daughters', navigation: [] });

const german = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

export const extreme = view({
  site: { ...firm, name: `${german} & Söhne`, language: 'de', accent: '#ffff00' },
  name: `Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz: ${german}`,
  path: '/sparte-3/unterseite-4',
  breadcrumbs: [
    { name: 'Startseite', path: '/' },
    { name: `Sparte 3 ${german}`, path: '/sparte-3' },
  ],
  bodyHtml: `<p>${german} https://example.com/${'sehr-lang'.repeat(30)}</p>
<div class="table-scroll" role="group" tabindex="0" aria-label="Tabelle"><table><thead><tr>${'<th scope="col">Spaltenüberschrift</th>'.repeat(14)}</tr></thead><tbody><tr>${`<td>${'1234567890'.repeat(2)}</td>`.repeat(14)}</tr></tbody></table></div>
<pre tabindex="0"><code>${'0123456789abcdef'.repeat(20)}</code></pre>
<p><img src="/picture.svg" width="3000" height="400" alt="Breit"></p>
<div class="embed"><iframe src="about:blank" title="Film" width="1600" height="900"></iframe></div>
<ul><li>a<ul><li>b<ul><li>c<ul><li>d<ul><li>e<ul><li>${german}</li></ul></li></ul></li></ul></li></ul></li></ul></li></ul>`,
  navigation: at(
    '/sparte-3/unterseite-4',
    Array.from({ length: 24 }, (_, root) => ({
      ...item(
        root === 5 ? german : `Sparte ${root}`,
        `/sparte-${root}`,
        // The number that navigation.ts lists of 24 root pages.
        Array.from({ length: 10 }, (_, child) =>
          item(child === 7 ? german : `Unterseite ${child}`, `/sparte-${root}/unterseite-${child}`),
        ),
      ),
      hasMore: true,
    })),
  ),
  navigationHasMore: true,
  subPages: Array.from({ length: 60 }, (_, index) => ({
    name: index === 3 ? german : `Unterseite ${index}`,
    path: `/sparte-3/unterseite-4/${index}`,
    description: index % 3 === 0 ? `${german} und noch einiges mehr, das man dazu sagen könnte.` : '',
    date: today - index * DAY_MS,
  })),
});

export const arabic = view({
  site: { ...firm, name: 'مخبز الياسمين', language: 'ar', accent: '#0a7d5a' },
  name: 'خبزنا',
  path: '/khubz',
  description: 'خبز يُخبز كل صباح على الحطب.',
  excerpt: 'خبز يُخبز كل صباح على الحطب.',
  navigation: at('/khubz', [
    item('الرئيسية', '/'),
    item('خبزنا', '/khubz', [item('خبز الصاج', '/khubz/saj'), item('الكعك', '/khubz/kaak')]),
    item('اتصل بنا', '/contact'),
  ]),
  bodyHtml: `<p>نخبز كل صباح قبل شروق الشمس، بالطحين والماء والملح والوقت. لا شيء غير ذلك.</p>
<h2 id="a">كيف نعمل</h2><ul><li>عجين يرتاح ليلة كاملة</li><li>نار من خشب الزيتون</li></ul>
<blockquote><p>أفضل خبز في الحي.</p></blockquote><pre tabindex="0"><code>npm start</code></pre>`,
  headings: [{ level: 2, id: 'a', text: 'كيف نعمل' }],
  subPages: [
    { name: 'خبز الصاج', path: '/khubz/saj', description: 'رقيق كالورق.', date: today },
    { name: 'الكعك', path: '/khubz/kaak', description: 'بالسمسم.', date: today },
  ],
});

export const japanese = view({
  site: { ...firm, name: '山田木工所', language: 'ja', accent: '#777777' },
  name: '木組みについて',
  path: '/kigumi',
  description: '釘を使わずに木を組む技術について。',
  navigation: at('/kigumi', [item('ホーム', '/'), item('木組みについて', '/kigumi'), item('お問い合わせ', '/contact')]),
  bodyHtml: `<p>木組みとは、釘や金物をできるだけ使わずに、木と木を組み合わせて建物の骨組みをつくる技術です。長い年月のあいだ、地震や風に耐えてきました。木は生きているように動き、その動きを受け入れるのが良い仕事です。</p><h2 id="a">継手と仕口</h2><p>継手は木を長くつなぐため、仕口は木を角度をつけて組むためのものです。</p>`,
});

/** All views by name. */
export const siteViews = {
  home,
  welcome,
  article,
  section,
  deep,
  bare,
  notFound,
  search,
  placeholder,
  extreme,
  arabic,
  japanese,
};
