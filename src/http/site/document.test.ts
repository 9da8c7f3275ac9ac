import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { htmlFindings } from '../../../test/html-validator.ts';
import { article, deep, home, notFound, placeholder, section, siteViews } from '../../../test/site-views.ts';
import { inTheme } from '../../../test/view-server.ts';
import { themes } from '../../sites/site.ts';
import { accentStyle } from './colour.ts';
import { renderDocument } from './document.ts';
import { themeDefinitions } from './themes/index.ts';
import type { Link, NavigationItem, PageView } from './view.ts';

suite('every theme', () => {
  for (const theme of themes) {
    for (const [name, view] of Object.entries(siteViews)) {
      test(`${theme}: html-validate finds no errors in ${name}`, async () => {
        assert.deepEqual(await htmlFindings(renderDocument(inTheme(view, theme))), []);
      });
    }

    test(`${theme}: every text of a view is escaped`, () => {
      const nasty = `</title><script>alert("1")</script><!-- '"&<b>`;
      const html = renderDocument(inTheme(filledWith(nasty), theme));
      // JSON-LD is the only script, and browsers do not execute it.
      assert.deepEqual(html.match(/<script[^>]*>/g), ['<script type="application/ld+json">']);
      assert.doesNotMatch(html, /<b>|<!-- |alert\("/);
      assert.match(html, /&lt;\/title&gt;&lt;script&gt;alert\(&quot;1&quot;\)/);
    });

    test(`${theme}: characters that HTML does not allow are removed from texts`, () => {
      const html = renderDocument(inTheme(filledWith('a\u0001\u007f\u009f\ufdd0\uffffb'), theme));
      assert.doesNotMatch(html, /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]/);
      assert.match(html, /<title>ab<\/title>/);
    });

    test(`${theme}: every page has exactly one h1 and one main`, () => {
      for (const view of Object.values(siteViews)) {
        const html = renderDocument(inTheme(view, theme));
        assert.equal(html.match(/<h1\b/g)?.length, 1, view.name);
        assert.equal(html.match(/<main\b/g)?.length, 1, view.name);
      }
    });

    test(`${theme}: pages have no script, no style attribute, and one style element that the policy allows`, () => {
      const html = renderDocument(inTheme(section, theme));
      assert.doesNotMatch(html, / style=| on[a-z]+="|javascript:/);
      const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css]) => css);
      assert.deepEqual(styles, [accentStyle(section.site.accent, themeDefinitions[theme]).css]);
    });

    test(`${theme}: the current page and its ancestors are marked in the menu`, () => {
      const html = renderDocument(inTheme(article, theme));
      assert.match(html, /<a href="\/journal" aria-current="true">Journal<\/a>/);
      assert.match(html, /<a href="\/journal\/how-an-oak-frame-moves" aria-current="page">/);
    });

    test(`${theme}: the not-found page links to other pages and to the home page`, () => {
      const html = renderDocument(inTheme(notFound, theme));
      assert.match(html, /<h1>Page not found<\/h1>/);
      assert.match(
        html,
        /<main[\s\S]*<a href="\/timber-frames">Timber frames<\/a>[\s\S]*href="\/">Go to the home page/,
      );
    });
  }
});

suite('the head of the document', () => {
  test("a page's HTML title names the page and the site", () => {
    const titleOf = (view: PageView) => /<title>(.*)<\/title>/.exec(renderDocument(view))![1];
    assert.equal(titleOf(section), 'Timber frames · Harrow &amp; Daughters');
    assert.equal(titleOf(home), 'Harrow &amp; Daughters');
    assert.equal(titleOf({ ...home, name: 'Oak' }), 'Harrow &amp; Daughters · Oak');
    assert.equal(titleOf(notFound), 'Page not found · Harrow &amp; Daughters');
    assert.equal(titleOf(placeholder), 'Harrow &amp; Daughters');
  });

  test('the head has the canonical URL, the description and the feed', () => {
    const html = renderDocument(section);
    assert.match(html, /<link rel="canonical" href="https:\/\/harrow\.example\.com\/timber-frames">/);
    assert.match(html, /<meta property="og:url" content="https:\/\/harrow\.example\.com\/timber-frames">/);
    assert.match(html, /<meta name="description" content="What we build: barns/);
    assert.match(html, /<meta name="twitter:card" content="summary">/);
    assert.match(html, /<link rel="alternate" href="\/feed\.xml" type="application\/atom\+xml"/);
    assert.match(renderDocument(home), /<link rel="canonical" href="https:\/\/harrow\.example\.com\/">/);
  });

  test('the head has no description if the page has none', () => {
    assert.doesNotMatch(renderDocument({ ...home, description: '' }), /description/);
  });

  test('hidden pages, not-found pages and placeholders are not indexed', () => {
    const robots = /<meta name="robots" content="noindex">/;
    assert.doesNotMatch(renderDocument(home), robots);
    for (const view of [{ ...home, isHidden: true }, notFound, placeholder]) assert.match(renderDocument(view), robots);
    assert.doesNotMatch(renderDocument(notFound), /canonical|og:/);
  });

  test('the breadcrumbs from the home page down are in the head as JSON-LD', () => {
    const json = /<script type="application\/ld\+json">(.*)<\/script>/.exec(renderDocument(deep))![1]!;
    const { itemListElement } = JSON.parse(json);
    assert.deepEqual(itemListElement[0], {
      '@type': 'ListItem',
      position: 1,
      name: 'Home',
      item: 'https://harrow.example.com/',
    });
    assert.deepEqual(itemListElement.at(-1).name, 'Pegs');
    assert.equal(itemListElement.length, 5);
    assert.doesNotMatch(renderDocument(section), /ld\+json/);
  });

  test('JSON-LD contains any page name unchanged, and no name can end the script', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('</script>', '<!--<script>')), (name) => {
        const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(
          renderDocument({ ...deep, name }),
        )![1]!;
        assert.equal(JSON.parse(json).itemListElement.at(-1).name, name);
      }),
    );
  });
});

suite('the document', () => {
  const root = (language: string) =>
    /<html[^>]*>/.exec(renderDocument({ ...section, site: { ...section.site, language } }))![0];

  test('the document has the language of the site and its direction', () => {
    assert.match(root('pt-BR'), /lang="pt-BR" dir="ltr"/);
    assert.match(root('he'), /lang="he" dir="rtl"/);
    assert.match(root('az-Arab'), /lang="az-Arab" dir="rtl"/);
    assert.match(root('ku-Latn'), /dir="ltr"/);
  });

  test('the words of the theme are in the language of the site, or English if that is not supported', () => {
    const skip = (language: string) =>
      /class="skip"[^>]*>([^<]*)/.exec(renderDocument({ ...home, site: { ...home.site, language } }))![1];
    assert.equal(skip('de-AT'), 'Zum Inhalt springen');
    assert.equal(skip('tlh'), 'Skip to content');
    assert.equal(skip('constructor'), 'Skip to content');
  });

  test('typographic: only a first paragraph that is high enough gets a large first letter', () => {
    const isOpening = (first: string) => {
      const bodyHtml = `<p>${first}</p><table></table><p>${'Flour, water and salt. '.repeat(200)}</p>`;
      return renderDocument(inTheme({ ...article, bodyHtml }, 'typographic')).includes('class="prose opening"');
    };
    assert.equal(isOpening('Flour, water and salt. '.repeat(10)), true);
    assert.equal(isOpening(`Our bread, in <a href="/${'films/'.repeat(40)}">moving pictures</a>.`), false);
  });

  test('the page’s name is its title unless the body has an h1', () => {
    assert.match(renderDocument(section), /<h1>Timber frames<\/h1>/);
    assert.doesNotMatch(renderDocument(deep), /<h1>Pegs<\/h1>/);
    assert.match(renderDocument(deep), /<h1 id="pegs">Pegs are cleft, not turned<\/h1>/);
  });
});

/** Returns a page all of whose texts are `text`. */
function filledWith(text: string): PageView {
  const link: Link = { name: text, path: `/${text}` };
  const item: NavigationItem = { ...link, isCurrent: false, isAncestor: true, children: [], hasMore: true };
  return {
    ...article,
    site: { ...article.site, name: text, address: `https://${text}`, language: text },
    name: text,
    path: `/${text}`,
    description: text,
    excerpt: text,
    bodyHtml: '',
    headings: [1, 2, 3].map((id) => ({ level: 2, id: text + id, text })),
    navigation: [{ ...item, children: [item] }],
    breadcrumbs: [link],
    subPages: [{ ...link, description: text, date: 0 }],
    earlier: text,
    later: text,
  };
}
