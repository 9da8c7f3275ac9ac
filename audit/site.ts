import { setUpAccount } from '../src/accounts/setup.ts';
import type { Db } from '../src/db/database.ts';
import { createPage } from '../src/pages/create-page.ts';
import { createDefaultPages } from '../src/pages/default-pages.ts';
import { changeSite } from '../src/sites/change-site.ts';
import type { Theme } from '../src/sites/site.ts';

/** An account with the pages a new customer gets and one that is long, in the theme. Its subdomain is the theme's name. */
export async function addSite(
  db: Db,
  theme: Theme,
): Promise<{ accountId: number; userId: number; longPageId: number }> {
  const accountName = 'Harrow & Daughters';
  const input = { accountName, subdomain: theme, userName: 'Ruth Harrow', userEmail: 'ruth@example.com' };
  const addresses = { publicUrl: 'http://localhost:8080', sitesDomain: 'localhost:8080' };
  const { accountId, userId } = await db.transaction().execute((trx) => setUpAccount(trx, input, addresses));
  const longPageId = await db.transaction().execute(async (trx) => {
    await changeSite(trx, accountId, { theme, accent: '#b4532a', language: 'en-GB' });
    await createDefaultPages(trx, accountId, { accountName, userId });
    await trx.updateTable('pages').set({ status: 'published' }).where('account_id', '=', accountId).execute();
    const page = {
      isHidden: undefined,
      description: undefined,
      userId,
      quota: Number.MAX_SAFE_INTEGER,
      ip: '192.0.2.1',
    };
    const journal = await createPage(trx, accountId, {
      ...page,
      name: 'Journal',
      body: 'Notes from the yard, when there is time.',
      bodyFormat: 'markdown_format',
      parentId: undefined,
    });
    return createPage(trx, accountId, {
      ...page,
      name: 'How an oak frame moves',
      description: 'Green oak shrinks, twists and checks. A good frame is made of that movement.',
      body: longPage,
      bodyFormat: 'markdown_format',
      parentId: String(journal),
    });
  });
  return { accountId, userId, longPageId };
}

/** What the long page was before: the latest last. */
export const earlierLongPages = (body: string) => [
  body.replace(/## 8[\s\S]*/, '').replaceAll('carpenters', 'builders'),
  body.replace('second summer', 'first winter').replace('- Do not ~~paint~~ varnish it. Ever.\n', ''),
];

/** The path of the long page. */
export const LONG_PAGE = '/journal/how-an-oak-frame-moves';

const chapter = (number: number) => `
## ${number}. What the wood does

An oak that is felled in January holds about eight parts of water to ten of wood. Seasoned boards have lost most of it, at
an inch a year; a ten-inch post would take a decade. So carpenters have always worked it *fresh*: it cuts sweetly, and **a
frame pulls itself together** as it dries.[^${number}]

- Leave a gap where glass meets oak, and cover it.
- Draw the pegs:
  1. the hole in the tenon sits two millimetres closer to the shoulder,
  2. so that the peg pulls.
- Do not ~~paint~~ varnish it. Ever.

> A frame is a slow machine. It has one job and four hundred years to do it in.

### Figures of season ${number}

| Part | Across the grain | Along it | After |
|------|-----------------:|---------:|-------|
| Post, 250 mm | 12 mm | 0.3 mm | 8 years |
| Tie beam, 300 mm | 15 mm | 0.4 mm | 10 years |
| Brace, 100 mm | 5 mm | 0.1 mm | 3 years |

The arithmetic is short: \`width * 0.0028 * (from - to)\`, or in full, with [a word on units](/contact):

\`\`\`js
// Tangential, for English oak: about 0.28 % for each per cent of moisture.
const shrinkage = (width, from, to) => width * 0.0028 * (Math.min(from, 30) - to);
\`\`\`

- [x] Visit
- [ ] Draw

[^${number}]: The old word for the cracks is shakes; engineers say checks.
`;

const longPage = `People ring us in the second summer. There is a crack in the post, they say, as long as my arm.\n${[1, 2, 3, 4, 5, 6, 7, 8].map(chapter).join('\n')}`;
