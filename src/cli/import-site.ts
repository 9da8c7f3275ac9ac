import { accountOption, command, OptionError } from './command.ts';
import { findAccount } from './find-account.ts';
import { importPageTree } from './import-page-tree.ts';
import { importWordPress } from './import-wordpress.ts';

export const importCommand = command({
  about: 'Creates the pages of a file: the export of a WordPress site, or the list of pages of another account.',
  details:
    'All pages are created, last on the site, or none. A FILE that ends with .json has the form in which the API lists pages:\n' +
    '{"pages": [{"name": "Services", "children": [{"name": "Cakes"}]}]}.\n\n' +
    'Any other FILE is what WordPress makes under Tools, Export: all content, with its posts. Drafts,\n' +
    'private pages and those with a password are not published. Links between the pages lead to their new addresses, and the\n' +
    'former addresses redirect. Run it with --images while the old site is still online.',
  positionals: ['FILE'],
  options: {
    account: accountOption,
    posts: { type: 'string', value: 'NAME', about: 'The page below which the posts come. Otherwise "Blog".' },
    parent: { type: 'string', value: 'PAGE', about: 'The page below which the pages of a .json file come (page_12).' },
    images: {
      type: 'boolean',
      about: 'Copy the images of the pages from the WordPress site. Otherwise they stay there.',
    },
    check: { type: 'boolean', about: 'Only check the file, and write nothing.' },
  },
  example: 'acme.wordpress.xml --account acme --check',
  database: 'current',
  async run({ config, db, positionals: [file = ''], values, report }) {
    const { account, posts, parent, images = false, check = false } = values;
    const { id, subdomain } = await findAccount(db, account);
    const isTree = file.toLowerCase().endsWith('.json');
    if (isTree && posts !== undefined) throw new OptionError('posts', 'is for the export of a WordPress site');
    if (!isTree && parent !== undefined) throw new OptionError('parent', 'is for a .json file');
    if (isTree && images) throw new OptionError('images', 'is for the export of a WordPress site');
    if (isTree) return importPageTree({ db, config }, id, { file, parent: parent ?? '', isDryRun: check });
    return importWordPress(
      { db, config },
      { id, subdomain },
      { file, blogName: posts ?? 'Blog', images, isDryRun: check, report },
    );
  },
});
