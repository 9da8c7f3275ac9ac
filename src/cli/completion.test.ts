import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { runCliIn } from '../../test/cli.ts';

/** Returns what the shell offers after each line. */
type Ask = (script: string, lines: readonly string[]) => string[][];

const shells: Readonly<Record<string, { version: string[]; ask: Ask }>> = {
  bash: {
    version: ['bash', '--version'],
    ask: (script, lines) =>
      lines.map((line) => {
        const words = line.split(' ');
        const list = words.map((word) => `'${word}'`).join(' ');
        const call = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _freehold; printf '%s\\n' "\${COMPREPLY[@]}"`;
        return runShell('bash', ['--norc', '-c', `${script}\n${call}`]);
      }),
  },
  zsh: {
    version: ['zsh', '--version'],
    // Zsh completion needs a terminal, so this checks what the script passes to it.
    ask: (script, lines) =>
      lines.map((line) => {
        const words = line.split(' ');
        const list = words.map((word) => `'${word}'`).join(' ');
        const stubs = 'compdef() { }; _files() { }; _describe() { print -rl -- $offered }';
        const call = `words=(${list}); CURRENT=${words.length}; _freehold`;
        const offered = runShell('zsh', ['-f', '-c', `${stubs}\n${script}\n${call}`]);
        return offered.map((found) => found.split(':')[0]!).filter((word) => word.startsWith(words.at(-1)!));
      }),
  },
  fish: {
    version: ['fish', '--version'],
    ask: (script, lines) =>
      lines.map((line) =>
        runShell('fish', ['--no-config', '-c', `${script}\ncomplete -C '${line}'`]).map(
          (found) => found.split('\t')[0]!,
        ),
      ),
  },
};

function runShell(shell: string, args: readonly string[]): string[] {
  return execFileSync(shell, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
    .split('\n')
    .filter((line) => line !== '');
}

for (const [shell, { version, ask }] of Object.entries(shells)) {
  test(`${shell} completes commands, commands of a group, and options`, async (t: TestContext) => {
    const [program = '', ...args] = version;
    try {
      execFileSync(program, args, { stdio: 'ignore' });
    } catch {
      return t.skip(`there is no ${shell} here`);
    }
    // An invalid setting does not stop the command.
    const { code, out } = await runCliIn({ PORT: 'none' }, 'completion', shell);
    assert.equal(code, 0);
    const [top = [], group = [], options = [], single = [], afterFile = []] = ask(out, [
      'freehold d',
      'freehold account ',
      'freehold plan create --',
      'freehold restore --r',
      'freehold --env-file x.env mail ',
    ]);
    assert.deepEqual(top.toSorted(), ['doctor', 'domain']);
    assert.deepEqual(group.toSorted(), [
      'currency',
      'delete',
      'export',
      'import',
      'list',
      'plan',
      'reindex',
      'show',
      'subdomain',
    ]);
    assert.deepEqual(
      ['--name', '--price', '--json', '--env-file', '--help'].filter((option) => !options.includes(option)),
      [],
    );
    assert.deepEqual(single, ['--replace']);
    assert.deepEqual(afterFile.toSorted(), ['list', 'retry']);
  });
}

test('completion refuses an unknown shell', async () => {
  const { code, error } = await runCliIn({}, 'completion', 'tcsh');
  assert.equal(code, 2);
  assert.match(error, /^SHELL is bash, zsh or fish, not "tcsh"\./);
});
