import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { comparePages, type LinkedPage, type TemplatePage } from './compare-pages.ts';

describe('comparing a template with a site made from it', () => {
  const inTemplate = (hash: string) => [{ id: 1, name: 'Home', hash } as TemplatePage];
  const onSite = (hash: string, present: string | null): LinkedPage[] => [
    { pageId: 7, sourceId: 1, hash, present, name: present && 'Welcome' },
  ];
  const ids = { sourceId: 1, pageId: 7 };

  for (const [what, template, linked, expected] of [
    ['a page that neither side has changed is left alone', inTemplate('a'), onSite('a', 'a'), []],
    ['a page that only the site has changed is left alone', inTemplate('a'), onSite('a', 'b'), []],
    ['a page that only the site has deleted is left alone', inTemplate('a'), onSite('a', null), []],
    [
      ...(['a page that only the template has changed is updated', inTemplate('b'), onSite('a', 'a')] as const),
      [{ kind: 'update', ...ids, name: 'Welcome' }],
    ],
    [
      ...(['a page that both sides have changed is left and listed', inTemplate('b'), onSite('a', 'c')] as const),
      [{ kind: 'left', reason: 'changed', ...ids, name: 'Welcome' }],
    ],
    [
      'a page that both sides have changed alike is in sync again',
      inTemplate('b'),
      onSite('a', 'b'),
      [{ kind: 'same', ...ids }],
    ],
    [
      ...([
        'a page that the site has deleted and the template changed is listed',
        inTemplate('b'),
        onSite('a', null),
      ] as const),
      [{ kind: 'left', reason: 'deleted', sourceId: 1, pageId: null, name: 'Home' }],
    ],
    ['a page that the site never had is added', inTemplate('a'), [], [{ kind: 'add', sourceId: 1, name: 'Home' }]],
    [
      ...(['a page that is no longer in the template is left and listed', [], onSite('a', 'a')] as const),
      [{ kind: 'left', reason: 'removed', ...ids, name: 'Welcome' }],
    ],
    ['a page that neither side has any more is ignored', [], onSite('a', null), []],
  ] as const) {
    test(what, () => assert.deepEqual(comparePages(template, linked), expected));
  }
});
