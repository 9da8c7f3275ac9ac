interface Result {
  readonly id: number;
}

/** The results that the service has refused. */
type RefusedOf<R> = Extract<R, { why: unknown }>;
type MadeOf<R> = Exclude<R, { why: unknown }>;

export interface Outcome<M, R> {
  readonly done: readonly M[];
  readonly refused: readonly R[];
  /** How many changes were not tried, because the run was stopped or a request failed. */
  readonly left: number;
  /** The failure that ended the run, if any. */
  readonly error: unknown;
}

interface Running<C, R> {
  readonly send: (changes: C[]) => Promise<{ readonly results: readonly R[] }>;
  readonly isStopped?: () => boolean;
  readonly onProgress?: (tried: number) => void;
}

const MAX_BATCH = 50;
/** The most UTF-16 code units in a batch. Each takes at most three bytes, which is half of the service's limit. */
const MAX_BATCH_CHARACTERS = 10_000;

/** Sends the changes in batches, one after the other. Never rejects: the outcome says what was done. */
export async function runChanges<C, R extends Result>(
  changes: readonly C[],
  { send, isStopped = () => false, onProgress = () => {} }: Running<C, R>,
): Promise<Outcome<MadeOf<R>, RefusedOf<R>>> {
  const done: MadeOf<R>[] = [];
  const refused: RefusedOf<R>[] = [];
  let tried = 0;
  const outcome = (error?: unknown) => ({ done, refused, left: changes.length - tried, error });
  while (tried < changes.length && !isStopped()) {
    try {
      const { results } = await send(nextBatch(changes, tried));
      for (const result of results) {
        if ('why' in result) refused.push(result as RefusedOf<R>);
        else done.push(result as MadeOf<R>);
      }
      tried += results.length;
      onProgress(tried);
    } catch (error) {
      return outcome(error);
    }
  }
  return outcome();
}

/** Returns the next changes, up to the limits of a batch, but at least one. */
function nextBatch<C>(changes: readonly C[], start: number): C[] {
  let characters = 0;
  const batch = changes.slice(start, start + MAX_BATCH);
  const end = batch.findIndex((change) => {
    characters += JSON.stringify(change).length;
    return characters > MAX_BATCH_CHARACTERS;
  });
  return end < 0 ? batch : batch.slice(0, Math.max(end, 1));
}
