import type { TenantContext } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';

/** Throws NotFound unless the path and the header name the same workspace. */
export function inCurrent<C extends TenantContext>(ctx: C, id: string): C {
  if (id !== ctx.workspaceId) throw new NotFound('workspace');
  return ctx;
}
