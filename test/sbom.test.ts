import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

test('the SBOM names each package that the service loads with its version, and no development dependency', () => {
  const printed = execFileSync(process.execPath, ['packaging/sbom.ts'], { cwd: root, encoding: 'utf8' });
  const { bomFormat, metadata, components } = JSON.parse(printed) as {
    bomFormat: string;
    metadata: { component: { name: string; version: string } };
    components: { name: string; version: string }[];
  };
  const { name, version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(bomFormat, 'CycloneDX');
  assert.deepEqual([metadata.component.name, metadata.component.version], [name, version]);
  const listed = new Map(components.map((component) => [component.name, component.version]));
  for (const [dependency, wanted] of Object.entries(dependencies)) assert.equal(listed.get(dependency), wanted);
  // Dependencies of dependencies are listed, even if a development dependency needs them, too.
  for (const other of ['postcss', 'entities', 'pg-protocol']) assert.ok(listed.has(other), other);
  for (const tool of ['vite', 'react', 'node', 'playwright-core']) assert.ok(!listed.has(tool), tool);
});
