import type { ReceivingHours } from '#contract/receiving-hours.ts';
import type { SendingHours } from '#contract/sending-hours.ts';
import { contactKey } from '#domain/fallback-chains.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { lifetimeMs } from '#domain/lifetime.ts';
import { waitsForHours, waitsForQuietHours } from '#domain/ledger-reasons.ts';
import { recipientKey } from '#domain/recipients.ts';
import { commonWindowFrom, lastsUntil, type ZonedHours } from '#domain/sending-hours.ts';
import { openingText } from '#domain/sending-hours-text.ts';
import { type KnownContact, keyInWorkspace } from '#engine/run/contacts.ts';
import type { Deferral } from '#engine/run/live-delivery.ts';

type To = { channel: ChannelType; recipient: string };

/** The hours of one workspace and its recipients, while its jobs run: those of their claim. */
export type Hours = {
  isFor(of: To): boolean;
  /** Whether a message can be sent within the workspace's hours and the recipient's own. */
  meet(of: To, atMs: number): boolean;
  /** The deferral of a delivery that is due at `atMs`, to when the hours open; null when it may be sent then. Where hours never meet, the workspace's count alone. */
  deferralOf(of: To, atMs: number): (Deferral & { where: string }) | null;
  /** Returns until when a message that is due then may be tried. */
  lastsUntilMs(of: To, fromMs: number): number;
};

/** A cached part of time, either before an opening or within one; `where` names the hours in reasons. Null where hours never meet. */
type Known = { sinceMs: number; opensMs: number; closesMs: number; where: string } | { sinceMs: number; opensMs: null };

/** The hours that apply to a recipient; `key` is the same for the same hours. */
type Applied = { key: string; all: readonly ZonedHours[]; own: ReceivingHours | null; ofWorkspace: ZonedHours | null };

/**
 * @param hours the workspace's; null where it has none
 * @param options.contacts by `keyInWorkspace`, with their zones; not needed when the workspace's own zone applies
 * @param options.wishes the recipients' own, by `keyInWorkspace`
 */
export function createHours(
  hours: SendingHours | null,
  {
    workspaceId,
    contacts,
    wishes,
  }: {
    workspaceId: string;
    contacts: ReadonlyMap<string, KnownContact>;
    wishes: ReadonlyMap<string, ReceivingHours>;
  },
): Hours {
  const channels = new Set(hours?.channels);
  const windows = new Map<string, Known>();

  function zoneOf(recipient: string, { zone, timezone }: SendingHours): string {
    const key = zone === 'workspace' || contacts.size === 0 ? null : contactKey(recipient);
    const known = key === null ? null : contacts.get(keyInWorkspace(workspaceId, key))?.timezone;
    return known !== undefined && known !== null && isKnown(known) ? known : timezone;
  }

  function appliedTo({ channel, recipient }: To): Applied {
    const own = wishes.size === 0 ? null : (wishes.get(keyInWorkspace(workspaceId, recipientKey(recipient))) ?? null);
    const zone = hours !== null && channels.has(channel) ? zoneOf(recipient, hours) : null;
    const ofWorkspace = hours === null || zone === null ? null : { ...hours, timezone: zone };
    const all = [...(ofWorkspace === null ? [] : [ofWorkspace]), ...(own === null ? [] : [own])];
    return { key: `${zone ?? ''} ${own === null ? '' : JSON.stringify(own)}`, all, own, ofWorkspace };
  }

  /** Cached, because a long list of recipients asks for the same window again and again. */
  function windowIn({ key, all }: Pick<Applied, 'key' | 'all'>, atMs: number): Known {
    const known = windows.get(key);
    if (known !== undefined && (known.opensMs === null ? atMs === known.sinceMs : isWithin(known, atMs))) return known;
    const found = commonWindowFrom(all, Temporal.Instant.fromEpochMilliseconds(atMs));
    const window: Known =
      found === null
        ? { sinceMs: atMs, opensMs: null }
        : {
            sinceMs: atMs,
            opensMs: found.opens.epochMilliseconds,
            closesMs: found.closes.epochMilliseconds,
            where: openingText(found.opens, all[0]?.timezone ?? 'UTC'),
          };
    windows.set(key, window);
    return window;
  }

  const ofWorkspaceAlone = (applied: Applied): Applied => ({
    ...applied,
    key: `${applied.ofWorkspace?.timezone ?? ''} `,
    all: applied.ofWorkspace === null ? [] : [applied.ofWorkspace],
    own: null,
  });

  /** Without the recipient's own hours where these never meet those of the workspace. */
  function inForce(of: To, atMs: number): Applied {
    const applied = appliedTo(of);
    const isMet = applied.own === null || windowIn(applied, atMs).opensMs !== null;
    return isMet ? applied : ofWorkspaceAlone(applied);
  }

  return {
    isFor: (of) => appliedTo(of).all.length > 0,
    meet(of, atMs) {
      const applied = appliedTo(of);
      return applied.own === null || windowIn(applied, atMs).opensMs !== null;
    },
    deferralOf(of, atMs) {
      const applied = inForce(of, atMs);
      if (applied.all.length === 0) return null;
      const window = windowIn(applied, atMs);
      if (window.opensMs === null || atMs >= window.opensMs) return null;
      const { opensMs, where } = window;
      const { ofWorkspace } = applied;
      const alone = ofWorkspace === null ? null : windowIn(ofWorkspaceAlone(applied), atMs);
      const isClosed = alone !== null && alone.opensMs !== null && atMs < alone.opensMs;
      return { atMs: opensMs, where, ...(isClosed ? waitsForHours(where) : waitsForQuietHours(where)) };
    },
    lastsUntilMs(of, fromMs) {
      const from = Temporal.Instant.fromEpochMilliseconds(fromMs);
      const { all } = inForce(of, fromMs);
      const until = all.length === 0 ? null : lastsUntil(all, from);
      return until === null ? fromMs + lifetimeMs : until.epochMilliseconds;
    },
  };
}

const isWithin = ({ sinceMs, closesMs }: { sinceMs: number; closesMs: number }, atMs: number) =>
  atMs >= sinceMs && atMs < closesMs;

function isKnown(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}
