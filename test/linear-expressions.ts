/*
 * Clears the regular expressions that plainly take time in proportion to their text, by their form alone. What it cannot
 * clear may still be harmless: `regular-expressions.test.ts` has recheck prove that, which takes up to a second each.
 */

/** The parts of an expression: escapes, classes, the beginnings of groups, repetitions, and single characters. */
const TOKEN =
  /\\[pu]\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\k<\w+>|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|:|<\w+>)|\{\d+(?:,\d*)?\}|./gisu;

/**
 * Tells whether the expression has at most one unbounded repetition, of a single character or class, and one of these holds:
 * it can begin only at the start of the text; nothing follows the repetition that could fail; or every match begins with a
 * character that the repetition cannot take, so that two attempts never go through the same characters.
 */
export function isPlainlyLinear(pattern: string, flags: string): boolean {
  const tokens = pattern.match(TOKEN) ?? [];
  const loops = tokens.flatMap((token, index) => (/^(?:[*+]|\{\d+,\})$/.test(token) ? [index] : []));
  const [loop] = loops;
  if (loop === undefined) return true;
  if (loops.length > 1 || tokens.some((token, index) => isRiskyPart(token, tokens[index + 1]))) return false;
  const repeated = tokens[loop - 1]!;
  if (repeated === ')' || hasTopLevelAlternatives(tokens)) return false;
  if (tokens[0] === '^' && !flags.includes('m')) return true;
  if (loop === tokens.length - 1) return true;
  const [first = '', next = ''] = withoutLeadingLookaround(tokens);
  if (!/^(?:\w|[<"'#@&/;:-]|\\[^\w])$/.test(first) || /^[?*+{]/.test(next)) return false;
  return !new RegExp(`^${repeated}$`, flags.replace(/[dgy]/g, '')).test(first.replace('\\', ''));
}

/** References to groups, and groups that are repeated: a bounded number of times may still be too often. */
function isRiskyPart(token: string, next: string | undefined): boolean {
  return /^\\(?:[1-9]|k)/.test(token) || (token === ')' && next !== undefined && next.startsWith('{'));
}

function hasTopLevelAlternatives(tokens: readonly string[]): boolean {
  let depth = 0;
  for (const token of tokens) {
    if (token.startsWith('(')) depth += 1;
    else if (token === ')') depth -= 1;
    else if (token === '|' && depth === 0) return true;
  }
  return false;
}

/** A look at one character before the match changes nothing: what is matched then begins behind it. */
function withoutLeadingLookaround(tokens: readonly string[]): readonly string[] {
  return /^\(\?<?[=!]$/.test(tokens[0] ?? '') && tokens[2] === ')' ? tokens.slice(3) : tokens;
}
