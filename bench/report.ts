import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { loadTool, type Measured } from './load.ts';

/* Measures in turns, and reports medians. */

/** The length of a turn. Many short turns even out changes of the machine's speed. */
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 1);
export const TURNS = Number(process.env.BENCH_TURNS ?? 9);
/** The run is restricted to measurements whose names contain this text. */
export const only = process.argv[2] ?? '';

interface Result {
  work: string;
  measured: string;
  target: string;
  met: boolean | undefined;
}
const results: Result[] = [];

export function note(work: string, measured: string, target = '', met?: boolean): void {
  results.push({ work, measured, target, met });
  const verdict = met === undefined ? '' : met ? '  ok' : '  SHORT';
  console.log(`${work}: ${measured}${target && `  (at least ${target})`}${verdict}`);
}

export const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
export const round = (number: number, digits = 0) =>
  number.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });

/** Runs both in turns. The ratio is the median of the turns' ratios. */
async function compare(
  ours: () => Promise<Measured>,
  other: () => Promise<Measured>,
): Promise<{ ratio: number; text: string }> {
  await ours();
  await other();
  const pairs: Array<{ mine: Measured; theirs: Measured }> = [];
  for (let turn = 0; turn < TURNS; turn++) pairs.push({ mine: await ours(), theirs: await other() });
  for (const { mine } of pairs) if (mine.failed > 0) throw new Error(`${mine.failed} requests failed`);
  const ratio = median(pairs.map(({ mine, theirs }) => mine.perSecond / theirs.perSecond));
  const mine = median(pairs.map((pair) => pair.mine.perSecond));
  const theirs = median(pairs.map((pair) => pair.theirs.perSecond));
  return {
    ratio,
    text: `${round(ratio, 2)}  (${round(mine)}/s against ${round(theirs)}/s)`,
  };
}

/** Records the ratio of one server's rate to the other's, and returns it. */
export async function ratio(
  work: string,
  target: number | undefined,
  ours: () => Promise<Measured>,
  other: () => Promise<Measured>,
): Promise<number | undefined> {
  if (!work.includes(only)) return undefined;
  const { ratio, text } = await compare(ours, other);
  note(work, text, target?.toFixed(2), target === undefined ? undefined : ratio >= target);
  return ratio;
}

/** Writes `results.md`, unless the run was restricted. */
export function writeResults(): void {
  if (only !== '') return;
  const rows = results.map(({ work, measured, target, met }) => {
    const verdict = met === undefined ? '' : met ? 'yes' : '**no**';
    return `| ${work} | ${measured.replace(/\s+/g, ' ')} | ${target} | ${verdict} |`;
  });
  const date = new Date().toISOString().slice(0, 10);
  const text = `# Benchmark results

Made by \`npm run bench\` on ${date}: Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load by ${loadTool},
${TURNS} turns of ${SECONDS} s each, medians. Ratios are against the bare server of \`bench/bare.ts\`, turn by turn, unless the work says otherwise;
PostgreSQL is compared with SQLite by these ratios, since their turns lie minutes apart.
The list after a creation is timed as its 16 clients have to wait for it, uncompressed. Customers are created by a
service that may use both processors, like the raw hashes beside it, in fewer and longer turns. Imports, changes of many customers,
what an agency looks at and searches are asked of such a service on both databases.
Creations to one sync are counted by strace, in a service of their own. This is one run: on a shared machine the ratios of another can differ by a third.

| work | measured | at least | met |
|---|---|---|---|
${rows.join('\n')}
`;
  const [, ...sections] = readSections();
  writeFileSync(RESULTS, [text, ...sections].join('\n'));
}

/** Writes a section of `results.md` that has its own benchmark: replaces the section with its heading, or adds it at the end. */
export function writeSection(text: string): void {
  const [heading] = text.split('\n');
  const sections = readSections();
  const known = sections.findIndex((section) => section.startsWith(`${heading}\n`));
  sections.splice(known === -1 ? sections.length : known, 1, `${text}\n`);
  writeFileSync(RESULTS, sections.join('\n'));
}

/** Returns the sections of `results.md`, each of which ends with a line break. */
const readSections = () => readFileSync(RESULTS, 'utf8').split(/\n(?=## )/);

const RESULTS = join(import.meta.dirname, 'results.md');
