import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckedImportJson } from '../../../contract.ts';
import { chooseColumn, columnOptions, sampleOf } from './column-choice.ts';
import { explainFailures } from './explain-failures.ts';

const columns = {
  account_name: 0,
  account_subdomain: 1,
  user_name: null,
  user_email: 2,
  plan: null,
  language: null,
  template: null,
};

test('choosing a column for one field takes it from the field that had it', () => {
  assert.deepEqual(chooseColumn(columns, 'user_name', 0), { ...columns, user_name: 0, account_name: null });
  assert.deepEqual(chooseColumn(columns, 'user_email', null), { ...columns, user_email: null });
});

test('a required field offers “None” only while it has no column', () => {
  const labels = (field: 'user_name' | 'user_email' | 'plan' | 'template') =>
    columnOptions(['Company', ' ', 'Mail'], field, columns[field]).map(({ label }) => label);
  assert.deepEqual(labels('user_email'), ['Company', 'Column 2', 'Mail']);
  assert.deepEqual(labels('user_name'), ['None', 'Company', 'Column 2', 'Mail']);
  assert.deepEqual(labels('plan'), ['None', 'Company', 'Column 2', 'Mail']);
  assert.deepEqual(labels('template'), ['None', 'Company', 'Column 2', 'Mail']);
});

test('the sample of a field is its value in the first line', () => {
  const checked = { columns, sample: [{ number: 2, cells: [' Bakery '] }] } as CheckedImportJson;
  assert.equal(sampleOf(checked, 'account_name'), 'Bakery');
  assert.equal(sampleOf(checked, 'user_email'), '');
  assert.equal(sampleOf(checked, 'plan'), undefined);
});

test('the errors of a line name the fields as the screen does', () => {
  const text = explainFailures([
    { field: 'account_subdomain', code: 'in_earlier_line', params: { line: 3 } },
    { field: 'user_email', code: 'blank' },
    { field: 'plan', code: 'not_one_of', params: { given: 'Gold', values: ['Free', 'Business, yearly'] } },
    { field: 'template', code: 'not_one_of', params: { given: 'Shop', values: [] } },
    { field: 'template', code: 'not_included' },
    { field: 'template', code: 'ambiguous' },
  ]);
  assert.deepEqual(text.split(/(?<=\.) /), [
    'Subdomain is the same as in line 3.',
    'E-mail address is missing.',
    'There is no plan “Gold”.',
    'Plans: “Free”, “Business, yearly”.',
    'There is no template “Shop”.',
    'You have no templates yet.',
    'The template is no longer offered.',
    'Template is the name of several that differ only in capital letters: write it exactly.',
  ]);
});
