import { escapeHtml } from '../src/html.ts';

/** The elements of an item by name. */
export type WordPressFields = Readonly<Record<string, string | number>>;

/** Returns a WordPress export file of the site https://www.old.example with these items. */
export function wordPressExport(items: readonly WordPressFields[]): string {
  const written = items.map((item) => {
    const elements = Object.entries(item).map(([name, value]) =>
      name.endsWith(':encoded')
        ? `<${name}><![CDATA[${value}]]></${name}>`
        : `<${name}>${escapeHtml(String(value))}</${name}>`,
    );
    return `<item>${elements.join('\n')}</item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Acme</title><link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_blog_url>https://www.old.example</wp:base_blog_url>
${written.join('\n')}
</channel></rss>`;
}
