import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../test/any-text.ts';
import { hostileBodies, longBodies } from '../../test/hostile-bodies.ts';
import { htmlValidator } from '../../test/html-validator.ts';
import { tagSoup } from '../../test/tag-soup.ts';
import { readHtml } from './body/read-html.ts';
import { sanitizeBody } from './body/sanitize.ts';
import { tidy } from './body/tidy.ts';
import { writeHtml } from './body/write-html.ts';
import { renderBody } from './render-body.ts';

const html = (body: string) => renderBody(body, 'wysiwyg_format').html;

test('no hostile body leaves anything behind that could run', () => {
  for (const { name, format, body } of hostileBodies) {
    const rendered = renderBody(body, format).html;
    const tags = rendered.match(/<[^>]*>/g)?.join('') ?? '';
    const bare = tags.replace(/"[^"]*"/g, '""');
    assert.doesNotMatch(bare, /<\/?(?:script|style|svg|math|object|embed|form|base|meta|link|template|body)\b/i, name);
    assert.doesNotMatch(bare, /\s(?:on\w+|style|srcdoc|name|action|formaction|ping|xlink)\b/i, name);
    assert.doesNotMatch(
      tags,
      /(?:href|src|cite)="\s*(?:javascript|vbscript|data(?!:image\/(?:png|jpeg|gif|webp|avif))):/i,
      name,
    );
    for (const [, src] of tags.matchAll(/<iframe src="([^"]*)"/g)) {
      assert.match(
        src!,
        /^https:\/\/(?:www\.youtube-nocookie\.com|player\.vimeo\.com|www\.openstreetmap\.org|www\.google\.com)\//,
        name,
      );
    }
  }
});

test('bodies that are made to take long are rendered, without frames for endless addresses', () => {
  for (const { name, format, body } of longBodies) {
    assert.doesNotMatch(renderBody(body, format).html, /<iframe/, name);
  }
});

test('rendering a rendered body changes nothing', () => {
  for (const { name, body, format } of hostileBodies) {
    const once = renderBody(body, format).html;
    assert.equal(html(once), once, name);
  }
  fc.assert(
    fc.property(tagSoup(), (body) => {
      const once = html(body);
      assert.equal(html(once), once);
    }),
    { numRuns: 500 },
  );
});

test('the second sanitizer finds nothing to remove', () => {
  fc.assert(
    fc.property(tagSoup(), (body) => {
      const tree = readHtml(body);
      tidy(tree);
      const written = writeHtml(tree).replace(/ id="[^"]*"/g, '');
      assert.equal(sanitizeBody(written), written);
    }),
    { numRuns: 500 },
  );
});

test('any text is rendered in every format', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 200 }), (body) => {
      for (const format of ['markdown_format', 'wysiwyg_format', ''] as const) renderBody(body, format);
    }),
  );
});

test('html-validate finds no problem in rendered bodies', async () => {
  const validate = htmlValidator({
    extends: ['html-validate:recommended'],
    rules: {
      // The rules ask for more than HTML does: lines may end in spaces, and titles of pages may be long.
      'no-trailing-whitespace': 'off',
      'long-title': 'off',
    },
  });
  const bodies = [
    ...hostileBodies.map(({ body, format }) => renderBody(body, format)),
    ...fc.sample(tagSoup(), { numRuns: 300, seed: 7 }).map((body) => renderBody(body, '')),
  ];
  for (const { html, hasTitle } of bodies) {
    const document = `<!DOCTYPE html>\n<html lang="en"><head><title>x</title></head><body>${hasTitle ? '' : '<h1>x</h1>'}${html}</body></html>`;
    const report = await validate.validateString(document);
    const messages = report.results.flatMap((result) =>
      result.messages.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    );
    assert.deepEqual(messages, [], html);
  }
});
