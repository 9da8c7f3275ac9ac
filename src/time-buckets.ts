/** How often something took how long: the counts of a Prometheus histogram, in plain numbers, since they are raised by nearly every request. */
export class TimeBuckets {
  readonly #bounds: readonly number[];
  /** How often it took at most the bound of the same index and more than the one before; the last is for longer times. */
  readonly #counts: number[];
  #milliseconds = 0;

  /** The upper bounds are in milliseconds. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = [...bounds.map(() => 0), 0];
  }

  get isEmpty(): boolean {
    return this.#counts.every((count) => count === 0);
  }

  observe(milliseconds: number): void {
    let index = 0;
    // Past the last bound there is nothing to be longer than.
    while (milliseconds > this.#bounds[index]!) index += 1;
    this.#counts[index]! += 1;
    this.#milliseconds += milliseconds;
  }

  /** Returns the values in the form in which the library's own histograms tell of themselves, in seconds. */
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
