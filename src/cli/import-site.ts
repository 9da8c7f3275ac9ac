import { stat } from 'node:fs/promises';
import { AppError } from '../errors.ts';
import { isGhostExport } from '../site-imports/ghost-export.ts';
import type { FileToImport } from '../site-imports/prepare-file.ts';
import { readGhostExport } from '../site-imports/read-ghost-export.ts';
import { readWordPressExport } from '../site-imports/read-wordpress-export.ts';
import { commandOfAccount, OptionError, UsageError } from './command.ts';
import { importOldSite } from './import-old-site.ts';
import { importPageTree } from './import-page-tree.ts';
import { readNamedFile } from './read-named-file.ts';

export const importCommand = commandOfAccount({
  about:
    'Creates pages from a file: the export of a WordPress or Ghost site, Markdown files, or the list of pages of another account.',
  details:
    'Either all pages are created, at the end of the site, or none. FILE is one of these:\n' +
    '  an export of WordPress: Tools, Export, All content;\n' +
    '  an export of Ghost: Settings, Import/Export, Export content;\n' +
    '  a folder of Markdown and HTML files with their images, or a ZIP archive of them;\n' +
    '  a list of pages as the API returns it: {"pages": [{"name": "Services", "children": [{"name": "Cakes"}]}]}.\n\n' +
    'Drafts, and pages of a site that were not public, are not published. Links between the pages lead to the new addresses, and\n' +
    'the former addresses redirect. Run it with --images while the old site is still online.',
  positionals: ['FILE'],
  options: {
    posts: { type: 'string', value: 'NAME', about: 'The parent page for the posts of a site. Default: "Blog".' },
    from: { type: 'string', value: 'URL', about: 'The address of a Ghost site, which its export does not contain.' },
    images: { type: 'boolean', about: 'Copy the images of a site. Otherwise they stay where they are.' },
    parent: {
      type: 'string',
      value: 'PAGE',
      about: 'The parent page for the pages of a folder, archive or list (page_12).',
    },
    check: { type: 'boolean', about: 'Only check the file, and write nothing.' },
  },
  example: 'acme.wordpress.xml --account acme --check',
  async run({ config, db, account: { id, subdomain }, positionals: [file = ''], values, report }) {
    const { posts, from, images = false, parent, check: isDryRun = false } = values;
    const tree = await readTree(file);
    if (from !== undefined && !isGhost(tree)) throw new OptionError('from', 'is for the export of a Ghost site');
    if (tree.kind !== 'wordpress' && !isGhost(tree)) {
      if (posts !== undefined) throw new OptionError('posts', 'is for the export of a site');
      if (images) throw new OptionError('images', 'is for the export of a site');
      return importPageTree({ db, config }, id, { file: tree, parent: parent ?? '', isDryRun });
    }
    if (parent !== undefined) throw new OptionError('parent', 'is for files of pages, not for a site');
    if (isGhost(tree) && from === undefined) {
      throw new UsageError('Missing: --from, the address of the Ghost site, such as https://www.example.com.');
    }
    const old = isGhost(tree)
      ? readGhostExport(tree.document, from!)
      : await readWordPressExport([tree.bytes.toString()]);
    const input = { old, blogName: posts ?? 'Blog', images, isDryRun, report };
    return importOldSite({ db, config }, { id, subdomain }, input);
  },
});

type JsonFile = FileToImport & { readonly kind: 'json' };

function isGhost(file: FileToImport): file is JsonFile {
  return file.kind === 'json' && isGhostExport(file.document);
}

/** Reads a file according to its extension. The content of a folder is read later, by the import. */
async function readTree(name: string): Promise<FileToImport> {
  if (await isFolder(name)) return { kind: 'folder', path: name };
  const bytes = await readNamedFile(name);
  if (/\.json$/i.test(name)) return { kind: 'json', document: parseJson(bytes) };
  return { kind: /\.zip$/i.test(name) ? 'archive' : 'wordpress', bytes };
}

async function isFolder(name: string): Promise<boolean> {
  const found = await stat(name).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new AppError('malformed', `The file is not JSON in UTF-8: ${(error as Error).message}.`);
  }
}
