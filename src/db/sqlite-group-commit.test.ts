import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { isUnavailable } from './constraint.ts';
import { GroupCommit } from './sqlite-group-commit.ts';

test('when the disk is full for one transaction, those that share its sync are told the same, and the next succeeds', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  const database = new DatabaseSync(join(folder, 'group.db'));
  t.after(() => {
    database.close();
    return rm(folder, { recursive: true });
  });
  database.exec('pragma journal_mode = wal; create table notes (text text); pragma max_page_count = 20');
  const commits = new GroupCommit(database);
  const add = async (text: string) => {
    const turn = await commits.begin();
    try {
      database.prepare('insert into notes values (?)').run(text);
    } catch (error) {
      turn.rollback();
      throw error;
    }
    await turn.commit();
  };
  const outcomes = await Promise.allSettled([add('first'), add('x'.repeat(1_000_000)), add('last')]);
  const [first, tooLarge, last] = outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? 'done' : isUnavailable(outcome.reason) ? 'unavailable' : outcome.reason,
  );
  // SQLite abandons everything that is not committed, the first with it.
  assert.deepEqual([first, tooLarge, last], ['unavailable', 'unavailable', 'done']);
  assert.deepEqual(
    database
      .prepare('select text from notes')
      .all()
      .map(({ text }) => text),
    ['last'],
  );
});
