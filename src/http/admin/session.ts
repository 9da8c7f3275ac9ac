import { answerJson } from './answers.ts';
import type { SessionJson } from './contract.ts';
import type { AdminRoute } from './route.ts';
import type { AdminDependencies } from './routes.ts';

export function sessionRoutes(_dependencies: AdminDependencies): AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/session',
      needs: 'session',
      handle: () => answerJson(200, {} as SessionJson),
    },
  ];
}
