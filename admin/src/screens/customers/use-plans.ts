import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';

/** Loads the plans once `isWanted` is true: the list of customers can be shown without them. */
export function usePlans(isWanted: boolean) {
  return useQuery({ queryKey: ['plans'], queryFn: api.plans, enabled: isWanted }).data?.plans;
}
