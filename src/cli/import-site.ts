import { createReadStream } from 'node:fs';
import { operator } from '../audit/record-audit-event.ts';
import { AppError } from '../errors.ts';
import { importSite } from '../site-imports/import-site.ts';
import { readWordPressExport, type WordPressExport } from '../site-imports/read-wordpress-export.ts';
import type { ImportNote } from '../site-imports/site-to-import.ts';
import { wordPressPages } from '../site-imports/wordpress-pages.ts';
import { findOwner } from '../users/find-owner.ts';
import { accountOption, command, OptionError } from './command.ts';
import { findAccount } from './find-account.ts';
import { importPageTree } from './import-page-tree.ts';

export const importCommand = command({
  about: 'Creates the pages of a file: the export of a WordPress site, or the list of pages of another account.',
  details:
    'All pages are created, last on the site, or none. A FILE that ends with .json has the form in which the API lists pages:\n' +
    '{"pages": [{"name": "Services", "children": [{"name": "Cakes"}]}]}.\n\n' +
    'Any other FILE is what WordPress makes under Tools, Export: all content, with its posts. Drafts,\n' +
    'private pages and those with a password are not published. Links between the pages lead to their new addresses, and the\n' +
    'former addresses redirect. Images stay where they are: the pages name them at the old site.',
  positionals: ['FILE'],
  options: {
    account: accountOption,
    posts: { type: 'string', value: 'NAME', about: 'The page below which the posts come. Otherwise "Blog".' },
    parent: { type: 'string', value: 'PAGE', about: 'The page below which the pages of a .json file come (page_12).' },
    check: { type: 'boolean', about: 'Only check the file, and write nothing.' },
  },
  example: 'acme.wordpress.xml --account acme --check',
  database: 'current',
  async run({ config, db, positionals: [file = ''], values: { account, posts, parent, check = false } }) {
    const { id, subdomain } = await findAccount(db, account);
    const isTree = file.toLowerCase().endsWith('.json');
    if (isTree && posts !== undefined) throw new OptionError('posts', 'is for the export of a WordPress site');
    if (!isTree && parent !== undefined) throw new OptionError('parent', 'is for a .json file');
    if (isTree) return importPageTree({ db, config }, id, { file, parent: parent ?? '', isDryRun: check });
    const site = wordPressPages(await readFile(file), { blogName: posts ?? 'Blog' });
    const done = await db.transaction().execute(async (trx) => {
      const input = { site, quota: config.pageQuota, isDryRun: check };
      return importSite(trx, id, input, { userId: await findOwner(trx, id), by: operator });
    });
    const unpublished = site.pages.filter(({ status }) => status === 'unpublished').length;
    const { renamed, redirects } = done;
    const count = site.pages.length;
    const verb = check ? 'would be created' : 'created';
    const text = [
      ...site.notes.map(inWords),
      ...renamed.map(({ from, to }) => `"${from}" becomes "${to}", since a page has that name.`),
      `${count} pages ${verb} on the site of "${subdomain}", ${unpublished} of them unpublished, with ${redirects} redirects.`,
    ].join('\n');
    return { text, json: { import: { pages: count, unpublished, redirects, renamed, notes: site.notes } } };
  },
});

async function readFile(name: string): Promise<WordPressExport> {
  try {
    return await readWordPressExport(createReadStream(name, 'utf8'));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('not_found', `The file cannot be read: ${error instanceof Error ? error.message : error}.`);
  }
}

const sentences: Readonly<Record<ImportNote['code'], (value: string) => string>> = {
  not_imported_type: (type) => `Things of the type "${type}" are not imported`,
  in_trash: () => 'It is in the trash, and not imported',
  password: () => 'It has a password, which pages here cannot have: it is not published',
  shortcode: (name) => `[${name}] means nothing here, and stays as text`,
  form_or_script: (element) => `<${element}> is left out`,
  old_link: (address) => `It links to ${address}, which has no counterpart here`,
  old_image: (address) => `It shows the image ${address} of the old site`,
  kept_as_html: () => 'Its HTML nests too deep to be tidied, and stays as it is',
};

function inWords({ code, page, value, count }: ImportNote): string {
  const times = count === 1 ? '' : ` (${count} times)`;
  return `${page === undefined ? '' : `"${page}": `}${sentences[code](value)}${times}.`;
}
