/** The table of all endpoints. The host, the permission checks and the API document are made from it. */

import type { Route } from './route.ts';
import { dryRunRoutes } from './routes/dry-run.ts';
import { executionListRoutes } from './routes/execution-list.ts';
import { executionRoutes } from './routes/executions.ts';
import { finRoutes } from './routes/fins.ts';
import { keyRoutes } from './routes/keys.ts';
import { manualRoutes } from './routes/manual.ts';
import { playbookRoutes } from './routes/playbooks.ts';
import { reporterRoutes } from './routes/reporter.ts';
import { statusRoutes } from './routes/status.ts';
import { stepRoutes } from './routes/steps.ts';
import { swaggerRoutes } from './routes/swagger.ts';
import { triggerRoutes } from './routes/trigger.ts';
import { validationRoutes } from './routes/validation.ts';

export const routes: readonly Route[] = [
  ...playbookRoutes,
  ...triggerRoutes,
  ...reporterRoutes,
  ...manualRoutes,
  ...executionRoutes,
  ...executionListRoutes,
  ...dryRunRoutes,
  ...keyRoutes,
  ...statusRoutes,
  ...finRoutes,
  ...stepRoutes,
  ...validationRoutes,
  ...swaggerRoutes,
];
