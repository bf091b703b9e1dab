import ipaddr from 'ipaddr.js';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Reminder } from '#contract/reminders.ts';
import { portProblem } from '#contract/web-ports.ts';
import { takingOver } from '#domain/fallback-chains.ts';
import { parseCron, ScheduleError } from '#domain/cron.ts';
import { type Line, parseLine, targetsOfLines, typoInLine } from '#domain/recipients.ts';
import { eventTriggerRequired } from '#contract/schedules.ts';

/** One line of the recipient list, with its own problems. */
export type CheckedLine = Line & { typo: string | null; isPrivate: boolean; portProblem: string | null };

/**
 * Checks one line, which is the expensive part of the warnings and may be spread over time.
 * @param of.isOpen whether this installation allows messages to a private address
 */
export function checkLine(text: string, { isOpen }: { isOpen: (url: URL) => boolean }): CheckedLine {
  const line = parseLine(text);
  const url = line.recipient.kind === 'url' ? URL.parse(line.recipient.address) : null;
  return {
    ...line,
    typo: typoInLine(line),
    // Only a hint for the obvious case. The egress guard decides when the message is sent.
    isPrivate: url !== null && isPrivateHost(url.hostname) && !isOpen(url),
    portProblem: url === null ? null : portProblem(url),
  };
}

/**
 * Warnings about a reminder; none of them refuses it.
 * @param found.ofRecipients the result of `recipientWarnings`
 * @param found.ofMessage the result of `messageWarnings`
 */
export const warningsOf = (
  reminder: Pick<Reminder, 'schedule_config'>,
  { ofRecipients, ofMessage }: { ofRecipients: readonly string[]; ofMessage: readonly string[] },
): string[] => [...scheduleWarnings(reminder), ...ofMessage, ...ofRecipients];

/** Warnings about a list of recipients, which depend on nothing but its lines, the channels, and whether these are tried in order. */
export const recipientWarnings = (
  lines: readonly CheckedLine[],
  { channels, isInOrder }: { channels: readonly ChannelType[]; isInOrder: boolean },
): string[] => [
  ...targetWarnings(lines, channels),
  ...(isInOrder ? orderWarnings(lines, channels) : []),
  ...(channels.includes('email') ? typoWarnings(lines) : []),
  ...privateAddressWarnings(lines),
  ...portWarnings(lines),
];

function scheduleWarnings({ schedule_config: config }: Pick<Reminder, 'schedule_config'>): string[] {
  if (config.type === 'event-based')
    return config.eventTrigger === undefined ? [`The schedule cannot run. ${eventTriggerRequired}`] : [];
  if (config.scheduleType !== 'custom') return [];
  try {
    parseCron(config.customCron, config.timezone);
    return [];
  } catch (error) {
    if (error instanceof ScheduleError) return [`The schedule cannot run. ${error.message}`];
    throw error;
  }
}

function targetWarnings(lines: readonly CheckedLine[], channels: readonly ChannelType[]): string[] {
  const problems = targetsOfLines(lines, channels).filter(({ problem }) => problem !== null);
  const [first] = problems;
  if (first === undefined) return [];
  return [
    problems.length === 1
      ? `${first.recipient}: ${first.problem?.reason}`
      : `${problems.length} recipients will be skipped, the first: ${first.problem?.reason}`,
  ];
}

/** Channels in order of which none can take over from another, whoever gets the message. */
function orderWarnings(lines: readonly CheckedLine[], channels: readonly ChannelType[]): string[] {
  const hasUrls = lines.some(({ recipient }) => recipient.kind === 'url');
  if (channels.length < 2 || takingOver(channels, { hasUrls }).length > 1) return [];
  return [
    hasUrls && channels.includes('webhook')
      ? 'No channel takes over if one fails, although they are tried in order: the webhook calls only the URLs in the list'
      : 'No channel takes over if one fails, although they are tried in order: Slack and push go to destinations of their own',
  ];
}

/** An address that is valid but most likely mistyped. */
function typoWarnings(lines: readonly CheckedLine[]): string[] {
  const found = lines.filter(({ typo }) => typo !== null);
  const [first] = found;
  if (first === undefined) return [];
  const example = `${first.recipient.address} ${first.typo}`;
  return [
    found.length === 1
      ? `${example}: is it mistyped?`
      : `${found.length} addresses look mistyped, the first: ${example}`,
  ];
}

function privateAddressWarnings(lines: readonly CheckedLine[]): string[] {
  const found = lines.filter(({ isPrivate }) => isPrivate);
  const [first] = found;
  if (first === undefined) return [];
  const { address } = first.recipient;
  return [
    found.length === 1
      ? `${address} leads to a private address and may be refused when it is sent`
      : `${found.length} recipients lead to private addresses and may be refused when they are sent, the first: ${address}`,
  ];
}

function portWarnings(lines: readonly CheckedLine[]): string[] {
  const first = lines.find(({ portProblem: problem }) => problem !== null);
  return first === undefined
    ? []
    : [`${first.recipient.address} will be refused when it is sent. ${first.portProblem}`];
}

const insideName = /(^|\.)(localhost|local|internal)\.?$/i;

/** Takes the host of a parsed URL, in which only addresses are all digits or in brackets. */
function isPrivateHost(host: string): boolean {
  if (!/^[\d.]+$|^\[/.test(host)) return insideName.test(host);
  return ipaddr.process(host.replace(/^\[|\]$/g, '')).range() !== 'unicast';
}
