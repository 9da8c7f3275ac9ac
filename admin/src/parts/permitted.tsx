import type { ComponentType } from 'react';
import type { Permission } from '../contract.ts';
import { useIsKnown, useMay } from '../session.ts';
import { strings } from '../strings.ts';
import { NotFound } from './not-found.tsx';

/**
 * Returns a screen that requires a permission. Users whose role lacks it get a notice instead. While the user is unknown,
 * the screen is shown.
 */
export function permitted<P extends object>(needs: Permission, Screen: ComponentType<P>): ComponentType<P> {
  return function Permitted(props: P) {
    const isKnown = useIsKnown();
    const isAllowed = useMay(needs);
    return isKnown && !isAllowed ? <NotFound {...strings.settings.notForRole} /> : <Screen {...props} />;
  };
}
