import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ValidationError } from '../errors.ts';
import { recognizeColumns, requireColumns } from './columns.ts';
import { MAX_IMPORT_BYTES, MAX_IMPORT_LINES, readCsv } from './read-csv.ts';

describe('reading CSV files', () => {
  const read = (text: string) => readCsv(Buffer.from(text));
  const problemOf = async (file: Promise<unknown>) => {
    try {
      await file;
    } catch (error) {
      assert.ok(error instanceof ValidationError);
      return error.fields;
    }
    return assert.fail('It was read.');
  };

  test('a CSV file may have commas, semicolons or tabs, and any line ends', async () => {
    for (const delimiter of [',', ';', '\t']) {
      for (const end of ['\n', '\r\n', '\r']) {
        const file = await read([`Name${delimiter}Mail`, `"A, B; C"${delimiter}ann@a.example`].join(end) + end);
        assert.deepEqual(file.header, ['Name', 'Mail']);
        assert.deepEqual(file.lines, [{ number: 2, cells: ['A, B; C', 'ann@a.example'] }]);
      }
    }
  });

  test('a CSV file may have any encoding that spreadsheets use', async () => {
    const text = 'Name\nBäckerei Müller';
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      utf16,
      Buffer.from(utf16).swap16(),
      Buffer.from(text, 'latin1'),
    ]) {
      const { header, lines } = await readCsv(bytes);
      assert.deepEqual([header, lines[0]!.cells], [['Name'], ['Bäckerei Müller']]);
    }
  });

  test('the lines of a CSV file have the numbers of spreadsheet rows, and empty lines are left out', async () => {
    const { lines } = await read('a,b\n\n1,"two\nlines"\n,\n3,4,5\n6\n');
    assert.deepEqual(lines, [
      { number: 3, cells: ['1', 'two\nlines'] },
      { number: 5, cells: ['3', '4', '5'] },
      { number: 6, cells: ['6'] },
    ]);
  });

  test('quotes are doubled in a quoted cell, and literal in an unquoted cell', async () => {
    const { lines } = await read('a,b\n"The ""Old"" Oven",""\n"""",12" pans\n,last');
    assert.deepEqual(
      lines.map(({ cells }) => cells),
      [
        ['The "Old" Oven', ''],
        ['"', '12" pans'],
        ['', 'last'],
      ],
    );
  });

  test('cells with any content are read back unchanged', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r', ' ', 'é') });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1 }), async (rows) => {
        const text = [['x', 'y'], ...rows].map((cells) =>
          cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(),
        );
        const { lines } = await read(`${text.join('\n')}\n"z"`);
        const filled = rows.filter((cells) => cells.some((each) => each.trim() !== ''));
        assert.deepEqual(
          lines.map(({ cells }) => cells),
          [...filled, ['z']],
        );
      }),
    );
  });

  test('an unreadable CSV file is refused with the number of the line', async () => {
    assert.deepEqual(await problemOf(read('a,b\n1,2\n3,"4')), [
      { field: 'file', code: 'not_csv', params: { line: 3 } },
    ]);
    assert.deepEqual(await problemOf(read('a\n\n"b" c\n')), [{ field: 'file', code: 'not_csv', params: { line: 3 } }]);
    assert.deepEqual(await problemOf(read(`a\n"${'x'.repeat(70_000)}"`)), [
      { field: 'file', code: 'not_csv', params: { line: 2 } },
    ]);
    // Unterminated quotes in files that begin with a quote.
    for (const [text, line] of [
      ['"""', 1],
      [`"${'""'.repeat(1_000_000)}`, 1],
      ['"a","b"\n1,"2', 2],
      ['"a","b"\n1,"2""', 2],
    ] as const) {
      assert.deepEqual(await problemOf(read(text)), [{ field: 'file', code: 'not_csv', params: { line } }]);
    }
    assert.deepEqual(await problemOf(read(`a\n${'x'.repeat(70_000)}`)), [
      { field: 'file', code: 'not_csv', params: { line: 2 } },
    ]);
    for (const empty of ['', '\n\n', 'a,b\n', 'a,b\n,\n']) {
      assert.deepEqual(await problemOf(read(empty)), [{ field: 'file', code: 'no_lines' }]);
    }
  });

  test('a CSV file above the maximum size or number of lines is refused', async () => {
    const lines = (count: number) => `a\n${'b\n'.repeat(count)}`;
    assert.equal((await read(lines(MAX_IMPORT_LINES))).lines.length, MAX_IMPORT_LINES);
    const [tooMany] = await problemOf(read(lines(MAX_IMPORT_LINES + 1)));
    assert.equal(tooMany!.code, 'too_many_lines');
    const [tooLarge] = await problemOf(readCsv(Buffer.alloc(MAX_IMPORT_BYTES + 1, '\n')));
    assert.equal(tooLarge!.code, 'too_many_bytes');
  });

  test('cells longer than any field are cut', async () => {
    const long = `  ${'x'.repeat(999)}\u{1f35e}${'x'.repeat(10_000)}`;
    const blanks = `${' '.repeat(2000)}Bakery${' '.repeat(2000)}`;
    const { lines } = await read(`a,b\n${long},${blanks}`);
    assert.deepEqual(lines, [{ number: 2, cells: [`${'x'.repeat(999)}\ufffd`, 'Bakery'] }]);
  });

  test('columns are recognized by common names', () => {
    assert.deepEqual(recognizeColumns(['E-Mail', 'Ansprechpartner', 'Firma', 'Sub-Domain', 'Tarif', 'Nr']), {
      account_name: 2,
      account_subdomain: 3,
      user_name: 1,
      user_email: 0,
      plan: 4,
    });
    const columns = recognizeColumns(['account_name', 'account_subdomain', 'user_name', 'user_email', 'Name']);
    assert.deepEqual(requireColumns(columns, 5), {
      account_name: 0,
      account_subdomain: 1,
      user_name: 2,
      user_email: 3,
    });
    assert.throws(() => requireColumns({ ...columns, plan: 5, user_name: undefined }, 5), {
      message: 'user_name: in_no_column; plan: in_no_column',
    });
  });
});
