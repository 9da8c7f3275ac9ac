import { Component, type ReactNode } from 'react';
import { isUnreachable } from '../api.ts';
import { askSession } from '../session.ts';
import { ErrorScreen } from './error-notice.tsx';

interface BoundaryProps {
  /** Where one is: whoever goes somewhere else tries something else. */
  readonly at: string;
  readonly children: ReactNode;
}

/**
 * Stands in for a screen that cannot be shown, mostly because its file cannot be loaded: there is no connection, or a newer
 * app has taken the place of this one. Otherwise all of the app would go with it, for good.
 */
export class Boundary extends Component<BoundaryProps, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate({ at }: BoundaryProps) {
    if (at !== this.props.at && this.state.error !== undefined) this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <ErrorScreen error={error} onRetry={beginAgain} />;
  }
}

/** With a new document: what could not be loaded is not asked for again by this one. Where that cannot come, this one stays. */
async function beginAgain(): Promise<void> {
  const error = await askSession().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isUnreachable(error)) location.reload();
}
