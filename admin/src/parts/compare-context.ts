import { type ComponentType, createContext } from 'react';
import type { PageFieldsJson } from '../contract.ts';

interface ComparedVersion {
  readonly label: string;
  readonly fields: Pick<PageFieldsJson, 'name' | 'description' | 'body' | 'bodyFormat'>;
}

/** Shows two versions of a page side by side. It is a part of the editor, which the app lends to other screens. */
export const CompareContext = createContext<ComponentType<{
  readonly left: ComparedVersion;
  readonly right: ComparedVersion;
}> | null>(null);
