import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileOfData } from '../admin/src/screens/editor/images/data-file.ts';

test('an image in a data URL becomes a file, and SVG and damaged data do not', async () => {
  const file = fileOfData('data:image/png;base64,iVBORw0KGgo=')!;
  assert.deepEqual([file.name, file.type], ['image.png', 'image/png']);
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from('iVBORw0KGgo=', 'base64'));
  assert.equal(fileOfData('data:image/JPEG;base64,%2F9j%2F')?.type, 'image/jpeg');
  for (const src of [
    'data:image/svg+xml;base64,PHN2Zz4=',
    'data:image/png;base64,*',
    'data:text/html;base64,QQ==',
    '/a.png',
    '',
  ]) {
    assert.equal(fileOfData(src), undefined, src);
  }
});
