/** Does the work while the clock of this process stands still at the given time. */
export async function at<T>(time: number, work: () => Promise<T>): Promise<T> {
  const { now } = Date;
  // Clocks have whole milliseconds.
  const stopped = Math.floor(time);
  Date.now = () => stopped;
  try {
    return await work();
  } finally {
    Date.now = now;
  }
}
