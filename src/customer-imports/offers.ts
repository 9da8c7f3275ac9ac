import type { Db, Trx } from '../db/database.ts';
import type { BrokenRule } from '../field-error.ts';
import { listPlans, type PlanRow } from '../plans/plans.ts';
import { listTemplates } from '../templates/templates.ts';
import type { ImportColumns } from './columns.ts';
import type { CsvLine } from './read-csv.ts';

/** Finds a plan or template by the name in a line. Returns its id, or the problem. */
type Find = (name: string) => { readonly id: number } | { readonly problem: BrokenRule };

/** Finds an account's plans and templates by the names in lines. */
export interface Offers {
  readonly plan: Find;
  readonly template: Find;
}

/** Reads the account's plans, and its templates if a line names one. */
export async function readOffers(
  db: Db | Trx,
  accountId: number,
  { lines, columns }: { lines: readonly CsvLine[]; columns: ImportColumns },
): Promise<Offers> {
  const plans = await listPlans(db, accountId);
  const hasTemplates = lines.some((line) => startsFromTemplate(line, columns));
  const templates = hasTemplates ? await listTemplates(db, accountId) : [];
  const isOffered = (template: (typeof templates)[number]) => template.retired_at === null && !template.isGone;
  return {
    plan: finder('plan', plans, ({ retired_at }: PlanRow) => retired_at === null),
    template: finder('template', templates, isOffered),
  };
}

/** The most plans or templates that a failure lists, since the failures of each line are stored with the import. */
const MAX_NAMED_OFFERS = 10;

/** The longest name that a failure repeats: a cell may be much longer than any name. */
const MAX_GIVEN_CHARACTERS = 100;

function shorten(name: string): string {
  return name.length > MAX_GIVEN_CHARACTERS ? `${name.slice(0, MAX_GIVEN_CHARACTERS)}…` : name;
}

export function startsFromTemplate({ cells }: Pick<CsvLine, 'cells'>, columns: ImportColumns): boolean {
  return (cells[columns.template ?? -1] ?? '').trim() !== '';
}

/**
 * Returns a function that finds items by their names or ids (`plan_3`). Case matters only if two names are otherwise equal.
 */
function finder<T extends { id: number; name: string }>(
  kind: 'plan' | 'template',
  all: readonly T[],
  isOffered: (one: T) => boolean,
): Find {
  const exact = new Map(all.map((one) => [one.name, one]));
  const others = Map.groupBy(all, ({ name }) => name.toLowerCase());
  const byId = new Map(all.map((one) => [`${kind}_${one.id}`, one]));
  const offered = all.filter(isOffered).map((one) => one.name);
  const choices = { values: offered.slice(0, MAX_NAMED_OFFERS), more: Math.max(0, offered.length - MAX_NAMED_OFFERS) };
  return (name) => {
    const similar = others.get(name.toLowerCase()) ?? [];
    const found = exact.get(name) ?? similar[0] ?? byId.get(name.toLowerCase());
    if (!found) return { problem: { code: 'not_one_of', params: { ...choices, given: shorten(name) } } };
    if (found.name !== name && similar.length > 1) return { problem: { code: 'ambiguous' } };
    return isOffered(found) ? found : { problem: { code: 'not_included' } };
  };
}
