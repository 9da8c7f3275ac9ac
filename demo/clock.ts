/** Does the work while the clock of this process stands at that time. */
export async function at<T>(time: number, work: () => Promise<T>): Promise<T> {
  const { now } = Date;
  // Whole milliseconds, as of any clock.
  const stopped = Math.floor(time);
  Date.now = () => stopped;
  try {
    return await work();
  } finally {
    Date.now = now;
  }
}
