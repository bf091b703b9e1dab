import { randomUUID } from 'node:crypto';
import type { Event, eventRoutes } from '#contract/events.ts';
import { cancelEvent, takeEvent } from '#features/events/events.service.ts';
import { listEvents } from '#features/events/event-list.service.ts';
import { listHookCalls } from '#features/events/hook-calls.service.ts';
import * as hooks from '#features/events/hooks.service.ts';
import { receiveHook, type ReceivePorts } from '#features/events/receive-hook.service.ts';
import { repeatEvent } from '#features/events/repeat-event.service.ts';
import { variablesIn } from '#features/events/event-variables.service.ts';
import { findLastEvent } from '#features/events/last-event.service.ts';
import { testEvent } from '#features/events/test-event.service.ts';
import { recordAct } from '#platform/audit.ts';
import { apiKeyOf, type TenantContext } from '#platform/context.ts';
import { Invalid } from '#platform/errors.ts';
import { hopsIn } from '#platform/hops.ts';
import { type HandlersOf, Repeated } from '#platform/handler.ts';

export const eventHandlers = (ports: ReceivePorts & hooks.HookPorts): HandlersOf<typeof eventRoutes> => ({
  listEvents: ({ ctx, query }) => listEvents(ctx, query),
  async repeatEvent({ ctx, params }) {
    const event = await repeatEvent(ctx, params.id);
    await recordManualEvent(ctx, { action: 'event.repeated', event });
    return event;
  },
  async sendEvent({ ctx, body, request }) {
    const taken = await takeEvent(ctx, {
      event: body.event,
      key: keyOf(body.key, request.headers.get('idempotency-key')),
      reminderId: null,
      variables: variablesIn(body.data),
      recipients: body.recipients,
      occurredAt: occurrenceOf(body.occurred_at, ctx.now),
      apiKeyId: apiKeyOf(ctx.actor),
      hops: hopsIn(request),
    });
    if (!taken.isRepeated) await recordManualEvent(ctx, { action: 'event.sent', event: taken.event });
    return answer(taken);
  },
  cancelEvent: ({ ctx, body }) => cancelEvent(ctx, { key: body.key, reminderId: body.reminder_id ?? null }),
  testEvent: ({ ctx, params, body: { data, ...to } }) =>
    testEvent(ctx, { reminderId: params.id, variables: variablesIn(data), to }),
  getLastEvent: async ({ ctx, params }) => ({ event: await findLastEvent(ctx, params.id) }),
  receiveHook: async ({ params, request, readBody }) =>
    answer(await receiveHook(ports, { token: params.token, request, readBody })),
  getHook: ({ ctx, params }) => hooks.getHook(ctx, { reminderId: params.id, ports }),
  listHookCalls: async ({ ctx, params }) => ({ data: await listHookCalls(ctx, params.id) }),
  rotateHook: ({ ctx, params }) => hooks.rotateHook(ctx, { reminderId: params.id, ports }),
  setHookSecret: ({ ctx, params, body }) =>
    hooks.setHookSecret(ctx, { reminderId: params.id, secret: body.secret, ports }),
});

/** Of what a person sends. The events of programs are listed with their key. */
async function recordManualEvent(
  ctx: TenantContext,
  { action, event: { id, event, key } }: { action: 'event.sent' | 'event.repeated'; event: Event },
): Promise<void> {
  if (ctx.actor.kind === 'user') await recordAct(ctx, { action, target: id, details: { event, key } });
}

const answer = ({ event, isRepeated }: { event: Event; isRepeated: boolean }) =>
  isRepeated ? new Repeated(event) : event;

/** The event's key, from the body or the header; without one, each request is an event of its own. */
function keyOf(inBody: string | undefined, inHeader: string | null): string {
  if (inHeader !== null && (inHeader === '' || inHeader.length > 200))
    throw new Invalid([{ path: 'Idempotency-Key', message: 'must be 1 to 200 characters' }]);
  if (inBody !== undefined && inHeader !== null && inBody !== inHeader)
    throw new Invalid([{ path: 'key', message: 'is not the key in the header Idempotency-Key' }]);
  return inBody ?? inHeader ?? randomUUID();
}

function occurrenceOf(text: string | undefined, now: Temporal.Instant): Temporal.Instant | null {
  if (text === undefined) return null;
  const occurredAt = Temporal.Instant.from(text);
  // Ten years of 8,766 hours: anything later is probably a mistake.
  if (Temporal.Instant.compare(occurredAt, now.add({ hours: 87_660 })) > 0)
    throw new Invalid([{ path: 'occurred_at', message: 'must be at most ten years ahead' }]);
  return occurredAt;
}
