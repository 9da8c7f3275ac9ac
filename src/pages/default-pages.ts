import type { Trx } from '../db/database.ts';
import { escapeHtml } from '../html.ts';
import { createPage } from './create-page.ts';

/** The pages a new customer begins with: each says what to put in its place, in the account's own name. */
function defaultPages(accountName: string): Array<{ name: string; description: string; body: string }> {
  const account = escapeHtml(accountName);
  return [
    {
      name: 'Home',
      description: `Welcome to ${accountName}.`,
      body: `<h1>Welcome to ${account}</h1>
<p>Say here, in a sentence or two, what you do and for whom. Visitors decide in a few seconds whether they are in the right place.</p>
<h2>What we offer</h2>
<p>Name the two or three things people come to you for, and lead on to the page about your services.</p>
<h2>Get in touch</h2>
<p>Tell visitors the next step: a call, a visit, or a message.</p>`,
    },
    {
      name: 'About',
      description: `Who is behind ${accountName}.`,
      body: `<h1>About ${account}</h1>
<p>People like to know whom they deal with. Tell how ${account} began, who works there and what matters to you.</p>
<p>A photograph of the people or the place does more than a paragraph.</p>`,
    },
    {
      name: 'Services',
      description: `What ${accountName} offers.`,
      body: `<h1>Services</h1>
<p>Describe each service as your customers would ask for it. Say what is included, how long it takes and what it costs, or where that depends on the case, on what.</p>
<h2>First service</h2>
<p>What it is, whom it helps, and what happens after they ask for it.</p>
<h2>Second service</h2>
<p>The same again. When the list grows, give every service a page of its own below this one.</p>`,
    },
    {
      name: 'Contact',
      description: `How to reach ${accountName}.`,
      body: `<h1>Contact</h1>
<p>Put your address, telephone number and e-mail address here, with your opening hours.</p>
<p>Say how soon people can expect an answer, and how to find you if they can visit.</p>`,
    },
  ];
}

/** Creates the default pages, in the name of the user. */
export async function createDefaultPages(
  trx: Trx,
  accountId: number,
  { accountName, userId }: { accountName: string; userId: number },
): Promise<void> {
  for (const { name, description, body } of defaultPages(accountName)) {
    await createPage(trx, accountId, {
      name,
      description,
      body,
      bodyFormat: 'wysiwyg_format',
      parentId: undefined,
      isHidden: undefined,
      userId,
    });
  }
}
