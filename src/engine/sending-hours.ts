import { SendingHours } from '#contract/sending-hours.ts';
import { contactKey } from '#domain/fallback-chains.ts';
import { isBefore } from '#domain/instants.ts';
import { waitsForHours } from '#domain/ledger-reasons.ts';
import { lastsUntil, type Window, windowFrom } from '#domain/sending-hours.ts';
import { openingText } from '#domain/sending-hours-text.ts';
import { keyInWorkspace } from '#engine/contacts.ts';
import type { Hours } from '#engine/run.ts';
import type { Found, WorkspaceFacts } from '#engine/store.ts';

/** Null when the workspace has set none, or when the setting cannot be read: that must not block deliveries. */
export function readHours({ sending_hours: stored }: Pick<WorkspaceFacts, 'sending_hours'>): SendingHours | null {
  if (stored === null) return null;
  const { data: hours } = SendingHours.safeParse(stored);
  return hours?.enabled === true ? hours : null;
}

/** @param contacts by `keyInWorkspace`, with their zones; not needed when the workspace's own zone applies */
export function createHours(
  hours: SendingHours,
  { workspaceId, contacts }: { workspaceId: string; contacts: Awaited<ReturnType<Found['contacts']>> },
): Hours {
  const channels = new Set(hours.channels);
  const windows = new Map<string, Window & { since: Temporal.Instant }>();

  function zoneOf(recipient: string): string {
    const key = hours.zone === 'workspace' || contacts.size === 0 ? null : contactKey(recipient);
    const zone = key === null ? null : contacts.get(keyInWorkspace(workspaceId, key))?.timezone;
    return zone !== undefined && zone !== null && isKnown(zone) ? zone : hours.timezone;
  }

  /** Cached, because a long list of recipients asks for the same window again and again. */
  function windowIn(timezone: string, at: Temporal.Instant): Window {
    const known = windows.get(timezone);
    if (known !== undefined && !isBefore(at, known.since) && isBefore(at, known.closes)) return known;
    const window = { ...windowFrom(hours, { at, timezone }), since: at };
    windows.set(timezone, window);
    return window;
  }

  return {
    isFor: (channel) => channels.has(channel),
    deferralOf({ channel, recipient }, at) {
      if (!channels.has(channel)) return null;
      const timezone = zoneOf(recipient);
      const { opens } = windowIn(timezone, at);
      if (!isBefore(at, opens)) return null;
      const where = openingText(opens, timezone);
      return { at: opens, where, reason: waitsForHours(where) };
    },
    lastsUntil: (recipient, from) => lastsUntil(hours, { from, timezone: zoneOf(recipient) }),
  };
}

function isKnown(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}
