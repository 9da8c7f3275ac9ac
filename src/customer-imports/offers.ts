import type { Db, Trx } from '../db/database.ts';
import type { BrokenRule } from '../field-error.ts';
import { listPlans, type PlanRow } from '../plans/plans.ts';
import { listTemplates } from '../templates/templates.ts';
import type { ImportColumns } from './columns.ts';
import type { CsvLine } from './read-csv.ts';

/** Finds what a line names. Returns its id, or why there is none. */
type Find = (name: string) => { readonly id: number } | { readonly problem: BrokenRule };

/** Finds an account's plans and templates by the names that lines have for them. */
export interface Offers {
  readonly plan: Find;
  readonly template: Find;
}

/** Reads the account's plans, and its templates if one of the lines starts from one. */
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

/** How many plans or templates the reason of a wrong line names: each line's reasons are stored with the import. */
const MAX_NAMED_OFFERS = 10;

/** A cell of a file may be much longer than any name. */
const MAX_GIVEN_CHARACTERS = 100;

function shorten(name: string): string {
  return name.length > MAX_GIVEN_CHARACTERS ? `${name.slice(0, MAX_GIVEN_CHARACTERS)}…` : name;
}

export function startsFromTemplate({ cells }: Pick<CsvLine, 'cells'>, columns: ImportColumns): boolean {
  return (cells[columns.template ?? -1] ?? '').trim() !== '';
}

/** Returns how to find things by their names or ids (`plan_3`). Case matters only if two names differ in nothing else. */
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
