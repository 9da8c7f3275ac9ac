import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './csv.ts';

test('a CSV line quotes texts, and prefixes formulas so that spreadsheets do not run them', () => {
  const cells = ['plain', 'a "b", c', '=1+1', '+1', '-1', '@x', ' =1', '\t=1', '', { number: '-8.33' }];
  const line = `plain,"a ""b"", c",'=1+1,'+1,'-1,'@x,' =1,\t'=1,,-8.33\r\n`;
  assert.equal(csvLine(cells), line);
});

test('a CSV line has no formula even if it is split at semicolons, tabs or line breaks', () => {
  const cells = ["Bakery;=cmd|' /C calc'!A1", 'a; @x', 'a\t-1', 'a;b=1', 'a\n+1;＝1', '＝1', 'a;"=1;'];
  const line = `Bakery;'=cmd|' /C calc'!A1,a;' @x,a\t'-1,a;b=1,"a\n'+1;'＝1",'＝1,"a;'""=1;"\r\n`;
  assert.equal(csvLine(cells), line);
});
