import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';

/** Reads the names of the plans once they are wanted: the list itself can be shown without them. */
export function usePlans(isWanted: boolean) {
  return useQuery({ queryKey: ['plans'], queryFn: api.plans, enabled: isWanted }).data?.plans;
}
