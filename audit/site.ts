import { setUpAccount } from '../src/accounts/setup.ts';
import type { Db } from '../src/db/database.ts';
import { createPage } from '../src/pages/create-page.ts';
import { changeSite } from '../src/sites/change-site.ts';
import type { Theme } from '../src/sites/site.ts';

/** Adds an account in the theme, with four pages of a small company and a long page. Its subdomain is the theme's name. */
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
    const page = {
      isHidden: undefined,
      description: undefined,
      userId,
      quota: Number.MAX_SAFE_INTEGER,
      ip: '192.0.2.1',
    };
    for (const { name, description, body } of pages) {
      const bodyFormat = 'wysiwyg_format';
      await createPage(trx, accountId, { ...page, name, description, body, bodyFormat, parentId: undefined });
    }
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

/** Pages of usual length, with headings, a list, a quotation, links and a table. */
const pages = [
  {
    name: 'Home',
    description: 'Welcome to Harrow & Daughters: who we are, what we do, and how to reach us.',
    body: `<h1>Welcome to Harrow &amp; Daughters</h1>
<p>Say here, in a sentence or two, what you do and for whom. Visitors decide within seconds whether they are in the right place, and this is what they read first.</p>
<h2>What we do for you</h2>
<p>Name the two or three things that people come to you for, in the words they would use themselves:</p>
<ul>
<li><strong>The first thing.</strong> What your customers have once you have done it.</li>
<li><strong>The second thing.</strong> What makes it easy for them to begin.</li>
<li><strong>The third thing.</strong> What nobody else nearby offers.</li>
</ul>
<p><a href="/services">All of our services</a></p>
<h2>What others say</h2>
<blockquote>
<p>Put a sentence here that a happy customer said or wrote, and ask whether you may use their name.</p>
<p>A customer of Harrow &amp; Daughters</p>
</blockquote>
<h2>Where to go from here</h2>
<p>Tell visitors the next step. They may want to know <a href="/about">who we are</a>, or they have made up their minds and want to <a href="/contact">get in touch</a>.</p>`,
  },
  {
    name: 'About',
    description: 'How Harrow & Daughters began, who works here, and what matters to us.',
    body: `<h1>About Harrow &amp; Daughters</h1>
<p>People like to know whom they deal with. Begin with what you would tell somebody who sits next to you at dinner.</p>
<h2>How it began</h2>
<p>When and why did Harrow &amp; Daughters start, and what has changed since? Three or four sentences are enough. The small, true details are the ones people remember.</p>
<h2>Who we are</h2>
<p>Introduce the people a customer will meet: their names, what they look after, and since when. A photograph of them at work does more than a paragraph.</p>
<h2>What matters to us</h2>
<ul>
<li>What you never compromise on, and how a customer can tell.</li>
<li>What you do when something goes wrong.</li>
<li>What you would rather not do, so that nobody asks in vain.</li>
</ul>
<p>Would you like to know more? <a href="/contact">Ask us.</a></p>`,
  },
  {
    name: 'Services',
    description: 'What Harrow & Daughters offers, how it works, and what it costs.',
    body: `<h1>Services</h1>
<p>Describe each service as your customers would ask for it: what is included, how long it takes, and what it costs, or what the price depends on.</p>
<h2>Your first service</h2>
<p>What it is, whom it helps, and what they have when it is done. If there is something people should bring or think about beforehand, say so here.</p>
<h2>Your second service</h2>
<p>The same again. When a service needs more room than this, give it a page of its own below this one: it will be listed here and in the menu.</p>
<h2>How it works</h2>
<ol>
<li><strong>You ask.</strong> Say which way is best, and how soon you answer.</li>
<li><strong>We agree.</strong> Say what happens before anything costs money.</li>
<li><strong>We get to work.</strong> Say what people will notice, and when it is done.</li>
</ol>
<p>Is what you need not on this page? <a href="/contact">Tell us about it.</a></p>`,
  },
  {
    name: 'Contact',
    description: 'How to reach Harrow & Daughters, where to find us, and when we are open.',
    body: `<h1>Contact</h1>
<p>Say how people reach you best, and how soon they can expect an answer.</p>
<h2>Write or call</h2>
<ul>
<li><strong>Telephone:</strong> your number, with its area code</li>
<li><strong>E-mail:</strong> an address that is read every day</li>
</ul>
<h2>Visit us</h2>
<p>Harrow &amp; Daughters<br>Street and number<br>Postal code and town</p>
<p>Add how to get here: the nearest stop, where to park, and whether there are steps at the door.</p>
<h2>When we are open</h2>
<table>
<thead>
<tr><th>Day</th><th>Hours</th></tr>
</thead>
<tbody>
<tr><td>Monday to Friday</td><td>9:00 to 17:00</td></tr>
<tr><td>Saturday</td><td>10:00 to 14:00</td></tr>
<tr><td>Sunday and holidays</td><td>closed</td></tr>
</tbody>
</table>`,
  },
];

/** Returns earlier versions of the long page, oldest first. */
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
