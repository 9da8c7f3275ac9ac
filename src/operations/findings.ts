export interface Problem {
  /** The name of the check that found the problem: `pages`, `ledger`, … */
  check: string;
  message: string;
}

/** How many problems one check reports. The limit keeps one broken part from hiding the others. */
const MAX_PROBLEMS_PER_CHECK = 100;

/** Collects the problems that checks find, and keeps a limited number from each check. */
export class Findings {
  readonly #found = new Map<string, { messages: string[]; count: number }>();

  add(check: string, message: string): void {
    let found = this.#found.get(check);
    if (!found) {
      found = { messages: [], count: 0 };
      this.#found.set(check, found);
    }
    found.count++;
    if (found.messages.length < MAX_PROBLEMS_PER_CHECK) found.messages.push(message);
  }

  problems(): Problem[] {
    return [...this.#found].flatMap(([check, { messages, count }]) => {
      const rest = count - messages.length;
      return [...messages, ...(rest > 0 ? [`and ${rest} more`] : [])].map((message) => ({ check, message }));
    });
  }
}
