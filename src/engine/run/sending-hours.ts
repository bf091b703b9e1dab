import type { SendingHours } from '#contract/sending-hours.ts';
import { contactKey } from '#domain/fallback-chains.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { waitsForHours } from '#domain/ledger-reasons.ts';
import { lastsUntil, windowFrom } from '#domain/sending-hours.ts';
import { openingText } from '#domain/sending-hours-text.ts';
import { type KnownContact, keyInWorkspace } from '#engine/run/contacts.ts';
import type { Deferral } from '#engine/run/live-delivery.ts';

/** The sending hours of one workspace, while its jobs run. */
export type Hours = {
  isFor(channel: ChannelType): boolean;
  /** The deferral of a delivery that is due at `atMs`, to when the hours open; null when it may be sent then. */
  deferralOf(of: { channel: ChannelType; recipient: string }, atMs: number): (Deferral & { where: string }) | null;
  /** Returns until when a message that is due then may be tried. */
  lastsUntilMs(recipient: string, fromMs: number): number;
};

/** A cached part of a zone's time, either before an opening or within one; `where` names the hours in reasons. */
type Known = { sinceMs: number; opensMs: number; closesMs: number; where: string };

/** @param contacts by `keyInWorkspace`, with their zones; not needed when the workspace's own zone applies */
export function createHours(
  hours: SendingHours,
  { workspaceId, contacts }: { workspaceId: string; contacts: ReadonlyMap<string, KnownContact> },
): Hours {
  const channels = new Set(hours.channels);
  const windows = new Map<string, Known>();

  function zoneOf(recipient: string): string {
    const key = hours.zone === 'workspace' || contacts.size === 0 ? null : contactKey(recipient);
    const zone = key === null ? null : contacts.get(keyInWorkspace(workspaceId, key))?.timezone;
    return zone !== undefined && zone !== null && isKnown(zone) ? zone : hours.timezone;
  }

  /** Cached, because a long list of recipients asks for the same window again and again. */
  function windowIn(timezone: string, atMs: number): Known {
    const known = windows.get(timezone);
    if (known !== undefined && atMs >= known.sinceMs && atMs < known.closesMs) return known;
    const { opens, closes } = windowFrom(hours, { at: Temporal.Instant.fromEpochMilliseconds(atMs), timezone });
    const opensMs = opens.epochMilliseconds;
    const closesMs = closes.epochMilliseconds;
    const window = { sinceMs: atMs, opensMs, closesMs, where: openingText(opens, timezone) };
    windows.set(timezone, window);
    return window;
  }

  return {
    isFor: (channel) => channels.has(channel),
    deferralOf({ channel, recipient }, atMs) {
      if (!channels.has(channel)) return null;
      const { opensMs, where } = windowIn(zoneOf(recipient), atMs);
      return atMs < opensMs ? { atMs: opensMs, where, ...waitsForHours(where) } : null;
    },
    lastsUntilMs(recipient, fromMs) {
      const from = Temporal.Instant.fromEpochMilliseconds(fromMs);
      return lastsUntil(hours, { from, timezone: zoneOf(recipient) }).epochMilliseconds;
    },
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
