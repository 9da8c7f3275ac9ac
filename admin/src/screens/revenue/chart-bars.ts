import type { RevenueMovement } from '../../contract.ts';

/** The movements on each side of the axis, in the order from the axis outwards. */
export const gains: readonly RevenueMovement[] = ['new', 'expansion', 'reactivation'];
export const losses: readonly RevenueMovement[] = ['churn', 'contraction'];

type Movements = Readonly<Record<RevenueMovement, { readonly annualCents: number }>>;

/** Returns the parts of a period's bar. Gains lie above 0, where y is negative, and losses below. */
export function barParts(movements: Movements) {
  return [
    ...pile(movements, gains).map(({ from, ...part }) => ({ ...part, y: -from - part.height })),
    ...pile(movements, losses).map(({ from, ...part }) => ({ ...part, y: from })),
  ];
}

/** Returns how far the movements reach from the axis. */
export function heightOf(movements: Movements, kinds: readonly RevenueMovement[]): number {
  return kinds.reduce((sum, kind) => sum + movements[kind].annualCents, 0);
}

function pile(movements: Movements, kinds: readonly RevenueMovement[]) {
  return kinds.map((kind, index) => ({
    kind,
    from: heightOf(movements, kinds.slice(0, index)),
    height: movements[kind].annualCents,
  }));
}
