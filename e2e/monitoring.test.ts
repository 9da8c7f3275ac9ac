import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeMigratedDatabase } from '../test/databases.ts';
import { startProgram } from './program.ts';

const folder = join(import.meta.dirname, '../deploy/monitoring');
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** Matches the names of metrics in an expression: those of the service, of its library, and of Prometheus. */
const METRIC = /\b(?:(?:freehold|process|nodejs)_\w+|up\b(?=\{))/g;

test('the alerts and the dashboard use only metrics that exist', async (t) => {
  const database = await makeMigratedDatabase(t, 'sqlite');
  const { service } = await startProgram(t, database, { BACKUP_FOLDER: database.dataDir });
  await service.request('GET', '/healthz');
  const { text } = await service.request('GET', '/metrics');
  const known = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name, type]) => [
      name!,
      ...(type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : []),
    ]),
  );
  const alerts = await readFile(join(folder, 'alerts.yml'), 'utf8');
  const { panels } = JSON.parse(await readFile(join(folder, 'dashboard.json'), 'utf8'));
  const expressions = panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr));
  assert.ok(expressions.length > 10);
  // Of two panels with the same id or place, Grafana shows only one.
  const places = panels.map(({ gridPos }: { gridPos: { x: number; y: number } }) => `${gridPos.x} ${gridPos.y}`);
  for (const unique of [panels.map(({ id }: { id: number }) => id), places]) {
    assert.equal(new Set(unique).size, panels.length, `${unique}`);
  }
  const used = [alerts, ...expressions].flatMap((expression) => [...expression.matchAll(METRIC)].map(([name]) => name));
  assert.ok(used.length > 20);
  assert.deepEqual(
    used.filter((name) => name !== 'up' && !known.has(name)),
    [],
  );
  for (const name of text.matchAll(/^# TYPE (freehold_\w+)/gm)) {
    assert.ok(
      used.some((one) => one.startsWith(name[1]!)),
      `nobody looks at ${name[1]}`,
    );
  }
});

test('Prometheus accepts the configuration, and the examples raise the alerts', {
  skip: !hasPromtool && 'promtool is missing: it is in the package "prometheus" of Debian',
}, () => {
  for (const args of [
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', 'alerts-examples.yml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  }
});
