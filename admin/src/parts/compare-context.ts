import { type ComponentType, createContext } from 'react';
import type { PageFieldsJson } from '../contract.ts';

interface ComparedVersion {
  readonly label: string;
  readonly fields: Pick<PageFieldsJson, 'name' | 'description' | 'body' | 'bodyFormat'>;
}

/** The component that compares two versions of a page. It belongs to the editor, and the app provides it to other screens. */
export const CompareContext = createContext<ComponentType<{
  readonly left: ComparedVersion;
  readonly right: ComparedVersion;
}> | null>(null);
