import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { accentTokens } from '../../accent-tokens.ts';
import { contrast, fromOklch, toOklch } from '../../oklch.ts';
import { themes } from '../../sites/site.ts';
import { accentStyle } from './colour.ts';
import { themeDefinitions } from './themes/index.ts';

const anyColour = fc.oneof(
  fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`),
  fc.constantFrom('#ffffff', '#000000', '#ffff00', '#777777', '#808080', '#00ff00', '#0000ff', '#ff0000'),
);

suite('the accent', () => {
  for (const theme of themes) {
    const { backgrounds, stylesheets } = themeDefinitions[theme];

    for (const scheme of ['light', 'dark'] as const) {
      test(`${theme}, ${scheme}: the accent is legible for any chosen colour`, () => {
        fc.assert(
          fc.property(anyColour, (colour) => {
            const { accent, onAccent, accentText, accentSoft } = accentTokens(colour, backgrounds[scheme]);
            assert.ok(contrast(onAccent, accent) >= 4.5, 'text on the accent');
            for (const background of backgrounds[scheme]) {
              const isKept = accent === colour && toOklch(colour).chroma >= 0.09;
              assert.ok(isKept || contrast(accent, background) >= 3, `the accent on ${background}`);
              assert.ok(contrast(accentText, background) >= 4.5, `links on ${background}`);
            }
            assert.ok(contrast(accentText, accentSoft) >= 4.5, 'links on the soft accent');
          }),
          { numRuns: 2000 },
        );
      });
    }

    test(`${theme}: the style sheet uses the backgrounds that contrast is checked against`, () => {
      const css = stylesheets.map((url) => readFileSync(new URL(url), 'utf8')).join('\n');
      for (const colour of [...backgrounds.light, ...backgrounds.dark]) assert.ok(css.includes(colour), colour);
    });
  }

  test('a legible accent is used unchanged', () => {
    assert.equal(accentTokens('#7A1FA2', ['#ffffff']).accentText, '#7a1fa2');
    assert.equal(accentTokens('#7a1fa2', ['#ffffff']).accent, '#7a1fa2');
  });

  test('a yellow accent stays yellow, with dark text on it and dark links', () => {
    for (const yellow of ['#ffcc00', '#ffe600', '#ffff00', '#f7d447']) {
      const { accent, onAccent, accentText } = accentTokens(yellow, ['#ffffff', '#f4f5f7']);
      assert.deepEqual([accent, onAccent], [yellow, '#000000']);
      assert.ok(toOklch(accentText).lightness < 0.25, `${yellow} became ${accentText}`);
      assert.equal(accentTokens(yellow, ['#131519']).accentText, yellow);
    }
  });

  test('an accent that has to be adjusted keeps its hue', () => {
    const colourful = fc.tuple(fc.constantFrom('#00c2ff', '#ff69b4', '#7fff00', '#ff8800'), fc.boolean());
    fc.assert(
      fc.property(colourful, ([colour, isDark]) => {
        const { accentText } = accentTokens(colour, [isDark ? '#111111' : '#ffffff']);
        const turn = Math.abs(toOklch(accentText).hue - toOklch(colour).hue);
        assert.ok(Math.min(turn, 2 * Math.PI - turn) < 0.08, `${colour} became ${accentText}`);
      }),
    );
  });

  test('the hash of the accent style is the hash of its exact text', () => {
    const style = accentStyle('#b4532a', themeDefinitions.typographic);
    assert.equal(style.hash, `'sha256-${hash('sha256', style.css, 'base64')}'`);
    assert.match(style.css, /^:root\{--accent:#[0-9a-f]{6};/);
  });
});

test('converting any colour to OKLCH and back returns the same colour', () => {
  fc.assert(fc.property(anyColour, (colour) => assert.equal(fromOklch(toOklch(colour)), colour)));
});
