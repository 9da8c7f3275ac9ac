/*
 * Recognizes regular expressions that take linear time by their form alone. Others may be linear, too:
 * `regular-expressions.test.ts` has recheck prove that, which takes up to a second each.
 */

/** Matches a token of an expression: an escape, a class, the beginning of a group, a repetition, or a single character. */
const TOKEN =
  /\\[pu]\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\k<\w+>|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|:|<\w+>)|\{\d+(?:,\d*)?\}|./gisu;

/**
 * Returns true if the expression has at most one unbounded repetition, of a single character or class, and one of these holds:
 * it can match only at the start of the text; nothing after the repetition can fail; or every match begins with a character
 * that the repetition cannot match, so that no two attempts scan the same characters.
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

/** True for references to groups and for repeated groups: even a bounded repetition may take too long. */
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

/** Removes a leading look-behind of one character, which does not change what is scanned. */
function withoutLeadingLookaround(tokens: readonly string[]): readonly string[] {
  return /^\(\?<?[=!]$/.test(tokens[0] ?? '') && tokens[2] === ')' ? tokens.slice(3) : tokens;
}
