import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { TEMPLATES } from '../../parts/offer-dialog.tsx';
import { useMay } from '../../session.ts';

/** Loads the templates once `isWanted` is true, if the user may see them. */
export function useTemplates(isWanted: boolean) {
  const mayManage = useMay('manage_customers');
  const enabled = isWanted && mayManage;
  return useQuery({ queryKey: TEMPLATES, queryFn: ({ signal }) => api.templates(signal), enabled }).data?.templates;
}
