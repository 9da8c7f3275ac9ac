/** The counts of a Prometheus histogram of durations, as plain numbers, since nearly every request increments them. */
export class TimeBuckets {
  readonly #bounds: readonly number[];
  /** The number of durations up to the bound of the same index and above the previous bound; the last is for longer ones. */
  readonly #counts: number[];
  #milliseconds = 0;

  /** `bounds` are upper bounds in milliseconds. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = [...bounds.map(() => 0), 0];
  }

  get isEmpty(): boolean {
    return this.#counts.every((count) => count === 0);
  }

  observe(milliseconds: number): void {
    let index = 0;
    // The comparison with undefined past the last bound is false, which ends the loop.
    while (milliseconds > this.#bounds[index]!) index += 1;
    this.#counts[index]! += 1;
    this.#milliseconds += milliseconds;
  }

  /** Returns the values in the format of the library's own histograms, in seconds. */
  values(name: string, labels: Readonly<Record<string, string | number>>) {
    let count = 0;
    const buckets = this.#counts.map((more, index) => {
      count += more;
      const le = index < this.#bounds.length ? this.#bounds[index]! / 1000 : '+Inf';
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#milliseconds / 1000 },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
