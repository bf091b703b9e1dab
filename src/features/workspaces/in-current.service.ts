import type { TenantContext } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';

/** The path and the header must name the same workspace; another one is a stranger's. */
export function inCurrent<C extends TenantContext>(ctx: C, id: string): C {
  if (id !== ctx.workspaceId) throw new NotFound('workspace');
  return ctx;
}
