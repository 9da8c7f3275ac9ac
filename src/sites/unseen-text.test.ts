import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleText } from '../pages/visible-text.ts';
import { dropped } from './body/vocabulary.ts';

test('searches read no text of elements that pages drop', () => {
  for (const name of dropped) {
    assert.equal(visibleText(`seen <${name} class="x">unseen</${name}> too`), 'seen too', name);
  }
});
