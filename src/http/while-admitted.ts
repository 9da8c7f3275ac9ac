/**
 * Yields the pieces of an answer as long as the caller may read it. A client may receive slowly enough to outlast the
 * removal of its access, and must not get what is read after that.
 */
export async function* whileAdmitted<T>(pieces: AsyncIterable<T>, assertAdmitted: () => Promise<void>) {
  for await (const piece of pieces) {
    await assertAdmitted();
    yield piece;
  }
}
