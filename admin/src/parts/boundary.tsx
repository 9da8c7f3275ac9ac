import { Component, type ReactNode } from 'react';
import { isUnreachable } from '../api-error.ts';
import { NewVersionError, reloadOnce } from '../load-part.ts';
import { askSession } from '../session.ts';

interface BoundaryProps {
  /** The address. A failed part is rendered again when the address changes. */
  readonly at: string;
  readonly fallback: (error: unknown) => ReactNode;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly at: string;
  readonly failure: { readonly error: unknown } | undefined;
}

/**
 * Renders a replacement if its children fail. Otherwise, React would unmount the whole app, even if only one file failed to
 * load because the connection is lost or the service was updated.
 */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { at: this.props.at, failure: undefined };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ at }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return at === state.at ? null : { at, failure: undefined };
  }

  override componentDidMount(): void {
    addEventListener('online', this.#retry);
  }

  override componentWillUnmount(): void {
    removeEventListener('online', this.#retry);
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof NewVersionError) reloadOnce();
  }

  /** Tries again by itself once the connection is back, as queries do. */
  readonly #retry = () => {
    if (isUnreachable(this.state.failure?.error)) void reloadDocument();
  };

  override render() {
    const { failure } = this.state;
    return failure ? this.props.fallback(failure.error) : this.props.children;
  }
}

/** Reloads the document, because browsers do not retry a failed import. Does nothing while the service is unreachable. */
export async function reloadDocument(): Promise<void> {
  const error = await askSession().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isUnreachable(error)) location.reload();
}
