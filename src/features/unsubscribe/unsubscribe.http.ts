import { z } from 'zod';
import { Id } from '#contract/common.ts';
import { type PreferableChannel, preferableChannels } from '#contract/contacts.ts';
import { ReceivingHours } from '#contract/receiving-hours.ts';
import type { unsubscribeRoutes } from '#contract/unsubscribe.ts';
import {
  actByLink,
  type LinkAct,
  readLink,
  senderOf,
  unsubscribe,
  type UnsubscribePorts,
} from '#features/unsubscribe/unsubscribe.service.ts';
import { sendLink } from '#features/unsubscribe/requested-link.service.ts';
import { dayFields, unsubscribePage } from '#features/unsubscribe/unsubscribe.page.ts';
import { pagePath } from '#features/unsubscribe/unsubscribe-links.service.ts';
import { Invalid, NotFound } from '#platform/errors.ts';
import type { HandlersOf } from '#platform/handler.ts';
import { type PublicPage, publicPage } from '#platform/public-page.ts';

export const unsubscribeHandlers = (ports: UnsubscribePorts): HandlersOf<typeof unsubscribeRoutes> => ({
  openUnsubscribeLink({ params }) {
    // The URL in a mail's header: who opens it is redirected to the page, which also says that a link is broken. Only an impossible token answers 404.
    if (!/^[\w-]+$/.test(params.token)) throw new NotFound('link to unsubscribe');
    return new Response(null, { status: 303, headers: { location: pagePath(params.token) } });
  },
  async unsubscribe({ params, clientAddress }) {
    await unsubscribe(ports, { token: params.token, clientAddress });
  },
});

/** The page of a link. */
export const unsubscribePages = (ports: UnsubscribePorts): PublicPage[] => [
  {
    path: '/unsubscribe/:token',
    brandOf: ({ token = '' }) => senderOf(ports, token),
    async show({ params: { token = '' }, request }) {
      const { searchParams: asked } = new URL(request.url);
      const state = await readLink(ports, { token, before: asked.get('before') });
      const done = asked.has('saved') ? 'saved' : asked.has('sent') ? sentTo(asked.get('sent')) : null;
      return publicPage(unsubscribePage(state, { action: pagePath(token), done }));
    },
    async act({ params: { token = '' }, fields, clientAddress }) {
      const act = actOf(fields);
      if (act.kind === 'send_link') await sendLink(ports, { token, to: act.to, clientAddress });
      else await actByLink(ports, { token, act, clientAddress });
      // To the page of what holds now: loading it again sends nothing again.
      const done = act.kind !== 'send_link' ? 'saved' : act.to === null ? 'sent' : `sent=${act.to}`;
      const location = `${pagePath(token)}?${done}`;
      return new Response(null, { status: 303, headers: { location } });
    },
  },
];

const Act = z.union([
  z.strictObject({ leave: z.literal('all') }).transform(() => ({ kind: 'leave_all' as const })),
  z.strictObject({ leave: Id }).transform(({ leave }) => ({ kind: 'leave' as const, topicId: leave })),
  z
    .strictObject({ pause_until: z.iso.date() })
    .transform(({ pause_until: until }) => ({ kind: 'pause' as const, until })),
  z.strictObject({ send: z.literal('link') }).transform(() => ({ kind: 'send_link' as const, to: null })),
  z
    .strictObject({ send: z.enum(preferableChannels) })
    .transform(({ send: to }) => ({ kind: 'send_link' as const, to })),
  z
    .strictObject({ prefer: z.enum([...preferableChannels, 'none']) })
    .transform(({ prefer }) => ({ kind: 'prefer' as const, channel: prefer === 'none' ? null : prefer })),
  z.strictObject({ hours: z.literal('any') }).transform(() => ({ kind: 'hours' as const, hours: null })),
  z
    .object({ hours: z.literal('chosen'), from: z.string(), to: z.string(), timezone: z.string() })
    .catchall(z.literal('on'))
    .transform(({ hours: _, from, to, timezone, ...days }) => ({
      kind: 'hours' as const,
      hours: { from, to, timezone, days: dayFields.flatMap((day, at) => (day in days ? [at + 1] : [])) },
    })),
  z.strictObject({ undo: Id }).transform(({ undo }) => ({ kind: 'undo' as const, id: undo })),
]);

/** Where a link is on its way to: another channel of the person, or the address of this page. */
const sentTo = (named: string | null) => ({ to: preferableChannels.find((channel) => channel === named) ?? null });

/** The button that was pressed. Throws Invalid. */
function actOf(fields: URLSearchParams): LinkAct | { kind: 'send_link'; to: PreferableChannel | null } {
  const parsed = Act.safeParse(Object.fromEntries(fields));
  if (!parsed.success)
    throw new Invalid([{ path: '', message: 'Open the link again, and press a button of its page' }]);
  const act = parsed.data;
  if (act.kind !== 'hours' || act.hours === null) return act;
  const { data: hours, error } = ReceivingHours.safeParse(act.hours);
  if (hours === undefined)
    throw new Invalid(error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
  return { kind: 'hours', hours };
}
