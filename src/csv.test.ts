import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './csv.ts';

test('a line of CSV quotes texts, and lets no spreadsheet run one as a formula', () => {
  const cells = ['plain', 'a "b", c', '=1+1', '+1', '-1', '@x', ' =1', '\t=1', '', { number: '-8.33' }];
  const line = `plain,"a ""b"", c",'=1+1,'+1,'-1,'@x,' =1,'\t=1,,-8.33\r\n`;
  assert.equal(csvLine(cells), line);
});
