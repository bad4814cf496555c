import { Hono } from 'hono';
import type { Log } from '../kit/log.ts';
import type { ServiceEnv } from '../kit/service-app.ts';
import { withFaults } from '../kit/service-app.ts';
import { type OrchestrationDesk, orchestrationRoutes } from './orchestrations/routes.ts';
import { type PlanDesk, planRoutes } from './plans/routes.ts';

export function routesOf(orchestrations: OrchestrationDesk, plans: PlanDesk, log: Log) {
  const routes = new Hono<ServiceEnv>()
    .route('/', orchestrationRoutes(orchestrations))
    .route('/', planRoutes(plans));
  return withFaults(routes, log);
}
export type OrchestrationApp = ReturnType<typeof routesOf>;
