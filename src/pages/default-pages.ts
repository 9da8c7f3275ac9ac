import type { Trx } from '../db/database.ts';
import { escapeHtml } from '../html.ts';
import { insertPages } from './insert-pages.ts';
import { toUrlname } from './urlname.ts';

/**
 * The pages a new customer begins with. They are a small website that holds together, and each says what to put in its
 * place, in the account's own name. They link to each other by the addresses that their names give them.
 */
function defaultPages(accountName: string): Array<{ name: string; description: string; body: string }> {
  const account = escapeHtml(accountName);
  return [
    {
      name: 'Home',
      description: `Welcome to ${accountName}: who we are, what we do, and how to reach us.`,
      body: `<h1>Welcome to ${account}</h1>
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
<p>A customer of ${account}</p>
</blockquote>
<h2>Where to go from here</h2>
<p>Tell visitors the next step. They may want to know <a href="/about">who we are</a>, or they have made up their minds and want to <a href="/contact">get in touch</a>.</p>`,
    },
    {
      name: 'About',
      description: `How ${accountName} began, who works here, and what matters to us.`,
      body: `<h1>About ${account}</h1>
<p>People like to know whom they deal with. Begin with what you would tell somebody who sits next to you at dinner.</p>
<h2>How it began</h2>
<p>When and why did ${account} start, and what has changed since? Three or four sentences are enough. The small, true details are the ones people remember.</p>
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
      description: `What ${accountName} offers, how it works, and what it costs.`,
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
      description: `How to reach ${accountName}, where to find us, and when we are open.`,
      body: `<h1>Contact</h1>
<p>Say how people reach you best, and how soon they can expect an answer.</p>
<h2>Write or call</h2>
<ul>
<li><strong>Telephone:</strong> your number, with its area code</li>
<li><strong>E-mail:</strong> an address that is read every day</li>
</ul>
<h2>Visit us</h2>
<p>${account}<br>Street and number<br>Postal code and town</p>
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
}

/**
 * Creates the default pages of an account that has none yet, in the user's name. The pages are our own and nobody else
 * sees the account yet, so nothing is checked.
 */
export async function createDefaultPages(
  trx: Trx,
  accountId: number,
  { accountName, userId }: { accountName: string; userId: number },
): Promise<void> {
  const pages = defaultPages(accountName).map((page) => ({
    ...page,
    accountId,
    parentId: null,
    urlname: toUrlname(page.name),
    isHidden: 0 as const,
    // Visitors see none of them before somebody publishes it.
    status: 'default' as const,
    bodyFormat: 'wysiwyg_format' as const,
    images: [],
    userId,
    ip: null,
    quota: Number.MAX_SAFE_INTEGER,
  }));
  await insertPages(trx, pages);
}
