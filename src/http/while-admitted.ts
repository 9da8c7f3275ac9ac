/**
 * Yields the pieces of an answer for as long as the caller may read it. An answer may be received slowly to outlast a removal: what
 * is read by then is not the caller's any more.
 */
export async function* whileAdmitted<T>(pieces: AsyncIterable<T>, assertAdmitted: () => Promise<void>) {
  for await (const piece of pieces) {
    await assertAdmitted();
    yield piece;
  }
}
