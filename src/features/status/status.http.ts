import type { statusRoutes } from '#contract/status.ts';
import { createStatus, type StatusPorts } from '#features/status/status.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export function statusHandlers(ports: StatusPorts): HandlersOf<typeof statusRoutes> {
  const status = createStatus(ports);
  return { getStatus: () => status() };
}
