import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './csv.ts';

test('a line of CSV quotes texts, and lets no spreadsheet run one as a formula', () => {
  const cells = ['plain', 'a "b", c', '=1+1', '+1', '-1', '@x', ' =1', '\t=1', '', { number: '-8.33' }];
  const line = `plain,"a ""b"", c",'=1+1,'+1,'-1,'@x,' =1,\t'=1,,-8.33\r\n`;
  assert.equal(csvLine(cells), line);
});

test('a spreadsheet that splits lines of CSV at semicolons, tabs or line breaks finds no formula either', () => {
  const cells = ["Bakery;=cmd|' /C calc'!A1", 'a; @x', 'a\t-1', 'a;b=1', 'a\n+1;＝1', '＝1', 'a;"=1;'];
  const line = `Bakery;'=cmd|' /C calc'!A1,a;' @x,a\t'-1,a;b=1,"a\n'+1;'＝1",'＝1,"a;'""=1;"\r\n`;
  assert.equal(csvLine(cells), line);
});
