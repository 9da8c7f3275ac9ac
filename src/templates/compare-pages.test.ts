import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { comparePages, type LinkedPage, type TemplatePage } from './compare-pages.ts';

describe('a page of a template, compared with the site that was made from it,', () => {
  const inTemplate = (hash: string) => [{ id: 1, name: 'Home', hash } as TemplatePage];
  const onSite = (hash: string, present: string | null): LinkedPage[] => [
    { pageId: 7, sourceId: 1, hash, present, name: present && 'Welcome' },
  ];
  const ids = { sourceId: 1, pageId: 7 };

  for (const [what, template, linked, expected] of [
    ['is left alone if neither has changed it', inTemplate('a'), onSite('a', 'a'), []],
    ['is left alone if only the site has changed it', inTemplate('a'), onSite('a', 'b'), []],
    ['is left alone if only the site has deleted it', inTemplate('a'), onSite('a', null), []],
    [
      ...(['is updated if only the template has changed it', inTemplate('b'), onSite('a', 'a')] as const),
      [{ kind: 'update', ...ids, name: 'Welcome' }],
    ],
    [
      ...(['is left and listed if both have changed it', inTemplate('b'), onSite('a', 'c')] as const),
      [{ kind: 'left', reason: 'changed', ...ids, name: 'Welcome' }],
    ],
    ['is in step again if both made the same change', inTemplate('b'), onSite('a', 'b'), [{ kind: 'same', ...ids }]],
    [
      ...([
        'is listed if the site has deleted it and the template changed it',
        inTemplate('b'),
        onSite('a', null),
      ] as const),
      [{ kind: 'left', reason: 'deleted', sourceId: 1, pageId: null, name: 'Home' }],
    ],
    ['is added if the site never had it', inTemplate('a'), [], [{ kind: 'add', sourceId: 1, name: 'Home' }]],
    [
      ...(['is left and listed if it is no longer in the template', [], onSite('a', 'a')] as const),
      [{ kind: 'left', reason: 'removed', ...ids, name: 'Welcome' }],
    ],
    ['is forgotten if it is on neither', [], onSite('a', null), []],
  ] as const) {
    test(what, () => assert.deepEqual(comparePages(template, linked), expected));
  }
});
