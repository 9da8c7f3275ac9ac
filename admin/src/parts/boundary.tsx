import { Component, type ReactNode } from 'react';
import { isUnreachable } from '../api-error.ts';
import { NewVersionError, reloadOnce } from '../load-part.ts';
import { askSession } from '../session.ts';

interface BoundaryProps {
  /** The address: at another one, it tries again. */
  readonly at: string;
  readonly instead: (error: unknown) => ReactNode;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly at: string;
  readonly failure: { readonly error: unknown } | undefined;
}

/**
 * Shows something else instead of what cannot be shown. React takes away all of the app otherwise: also where nothing is
 * wrong with it, but one of its files does not come, as when the connection is gone, or when the service was updated since.
 */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { at: this.props.at, failure: undefined };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ at }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return at === state.at ? null : { at, failure: undefined };
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof NewVersionError) reloadOnce();
  }

  override render() {
    const { failure } = this.state;
    return failure ? this.props.instead(failure.error) : this.props.children;
  }
}

/** With a new document: what could not be loaded is not asked for again by this one. Where that cannot come, this one stays. */
export async function beginAgain(): Promise<void> {
  const error = await askSession().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isUnreachable(error)) location.reload();
}
