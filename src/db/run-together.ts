/**
 * Runs pieces of work of one transaction at the same time: while PostgreSQL does one statement, the next ones are written. The first
 * piece sends its first statement at once; the statements after it go one by one. If a piece fails, waits for the others, since a
 * statement that is sent after the rollback would be in no transaction. Then throws the first error: the later ones only say that
 * the transaction has failed.
 */
export async function runTogether(pieces: ReadonlyArray<() => Promise<unknown>>): Promise<void> {
  const errors: unknown[] = [];
  await Promise.all(
    pieces.map(async (piece) => {
      try {
        await piece();
      } catch (error) {
        errors.push(error);
      }
    }),
  );
  if (errors.length > 0) throw errors[0];
}
