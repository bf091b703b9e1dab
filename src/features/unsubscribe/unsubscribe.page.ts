import { html, raw } from 'hono/html';
import type { ChannelType } from '#contract/channel-types.ts';
import type { PreferableChannel } from '#contract/contacts.ts';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { TopicReason } from '#contract/topics.ts';
import { dayInWords } from '#domain/day-in-words.ts';
import { type SentMessage, sentDays } from '#features/unsubscribe/own-page.service.ts';
import { canSendLink, linksOfHour } from '#features/unsubscribe/requested-link.service.ts';
import { receivingHoursText, weekdays } from '#domain/sending-hours-text.ts';
import type { LinkState, LinkTopic } from '#features/unsubscribe/unsubscribe.service.ts';
import type { PageParts } from '#platform/public-page.ts';

type OfMessages = Extract<LinkState, { stops: 'messages' }>;

/**
 * The page of a link: what this address gets, and a button for each thing that can be changed. A button says what it does and not the opposite of what the page
 * shows, so that one that was opened long ago does nothing else.
 * @param options.done what the visitor has just done: changed something, or asked for a link
 */
export function unsubscribePage(state: LinkState, { action, done }: { action: string; done: Done }): PageParts {
  const title = titleOf(state, done === 'saved');
  const body = html`<h1>${title}</h1>
${done === 'saved' && html`<p role="status">Saved.</p>`}
${sentText(state, done)}
<p>${sentenceOf(state)}</p>
${requestedText(state)}
${whyNotUndone(state)}
<form method="post" action="${action}">${buttonsOf(state).map(({ name, value, label, isMain }) => html`<button class="${isMain ? 'button primary' : 'button'}" name="${name}" value="${value}">${label}</button>`)}</form>
${state.stops === 'messages' && html`${otherTopics(state, { action, again: againOf(state) })}${pauseOf(state, { action, again: againOf(state) })}${hoursOf(state, action)}${requiredTopics(state)}${ownLink(state, action)}${ownPage(state, action)}`}`;
  return { title, brand: state.brand, body };
}

type Done = 'saved' | { to: PreferableChannel | null } | null;

/** Says that a link is on its way, whether one is or was asked for too often. */
function sentText({ recipient }: LinkState, done: Done) {
  if (done === null || done === 'saved') return null;
  const to = done.to === null ? recipient : `your ${addressWords[done.to]}`;
  return html`<p role="status">A link is on its way to ${to}. It works for one hour. Has none come, wait some minutes: ${linksOfHour} are sent in an hour at most.</p>`;
}

/** What the page is about, or what has become of it. */
function titleOf(state: LinkState, isChanged: boolean): string {
  if (state.stops === 'monthly_report') return state.isEnded ? 'You are unsubscribed' : 'Unsubscribe?';
  const { topic, all, pause, required } = state;
  if (all?.covers === 'everything') return 'You are unsubscribed';
  if (all !== null) return required.length === 0 ? 'You are unsubscribed' : 'You have left all optional messages';
  if (pause !== null && topic?.left == null)
    return required.length === 0 ? 'Messages are paused' : 'Optional messages are paused';
  if (topic === null)
    return isChanged && state.others.every(({ left }) => left === null) ? 'You are subscribed' : 'Unsubscribe?';
  if (topic.left !== null) return `You have left ${topic.name}`;
  return isChanged ? `You get ${topic.name}` : `Stop ${topic.name}?`;
}

/** What the sender sends to this address now. */
function sentenceOf(state: LinkState) {
  const who = html`<strong>${state.company}</strong>`;
  const whom = html`<strong>${state.recipient}</strong>`;
  if (state.stops === 'monthly_report')
    return html`${who} sends ${state.isEnded ? 'this monthly report no more' : 'a monthly report'} to ${whom}.`;
  const { topic, all, pause, required, channel } = state;
  const to = html`to ${whom} ${channelWords[channel]}`;
  if (all !== null) {
    const what = all.covers === 'optional' && required.length > 0 ? 'optional messages' : 'reminders';
    return html`${who} sends no more ${what} ${to}.`;
  }
  if (pause !== null && topic?.left == null)
    return html`${who} sends no ${whatIsOptional(state)} ${to} until ${dayInWords(pause.until)}.`;
  if (topic === null) return html`${who} sends reminders ${to}.`;
  return html`${who} sends ${topic.left === null ? 'messages' : 'no more messages'} about ${topic.name} ${to}.`;
}

/** Who can let messages through again, where this page cannot. */
function whyNotUndone(state: LinkState) {
  const left = state.stops === 'messages' ? (state.all ?? state.topic?.left ?? null) : null;
  if (left === null || left.undo !== null) return null;
  if (left.by === 'others' || !mayAsk(state)) return html`<p>To get messages again, ask ${state.company}.</p>`;
  return html`<p>You asked for this on ${dayInWords(left.since)}. To get messages again, have a link sent to you, or ask ${state.company}.</p>`;
}

type Button = { name: 'leave' | 'undo'; value: string; label: string; isMain: boolean };

/** What can be done for the message of the link, and for all, the most likely first. */
function buttonsOf(state: LinkState): Button[] {
  const leave = (value: string, label: string, isMain = true): Button => ({ name: 'leave', value, label, isMain });
  const undo = (id: string | null): Button[] =>
    id === null ? [] : [{ name: 'undo', value: id, label: 'Undo', isMain: false }];
  if (state.stops === 'monthly_report') return state.isEnded ? [] : [leave('all', 'Unsubscribe')];
  const { topic, others, all, required, company } = state;
  if (all !== null) return undo(all.undo);
  if (topic === null && others.length === 0 && required.length === 0) return [leave('all', 'Unsubscribe')];
  const whole =
    required.length === 0 ? `Stop all messages from ${company}` : `Stop all optional messages from ${company}`;
  if (topic === null) return [leave('all', whole)];
  if (topic.left !== null) return [...undo(topic.left.undo), leave('all', whole, false)];
  return [leave(topic.id, `Stop ${topic.name}`), leave('all', whole, false)];
}

/** A line for each other topic; where all are left, none of them is asked for alone. */
const otherTopics = ({ topic, others, all }: OfMessages, { action, again }: { action: string; again: Again }) =>
  all === null &&
  others.length > 0 &&
  html`<section aria-labelledby="topics"><h2 id="topics">${topic === null ? 'Topics' : 'Other topics'}</h2>
<form method="post" action="${action}"><ul class="rows">${others.map((one) => lineOf(one, again))}</ul></form></section>`;

function lineOf({ id, name, left }: LinkTopic, again: Again) {
  if (left === null)
    return html`<li><span class="name">${name}</span><button class="button" name="leave" value="${id}">Stop<span class="unseen"> ${name}</span></button></li>`;
  const since = left.by === 'link' ? `Left on ${dayInWords(left.since)}` : 'Left';
  return html`<li><span class="name">${name}<small>${since}${left.undo === null && `. To get it again, ${again[left.by]}.`}</small></span>${left.undo !== null && html`<button class="button" name="undo" value="${left.undo}">Undo<span class="unseen"> and get ${name} again</span></button>`}</li>`;
}

/** A day until which optional messages are paused, or are to be. */
function pauseOf(
  { company, all, pause, pausableUntil, required }: OfMessages,
  { action, again }: { action: string; again: Again },
) {
  if (all !== null) return null;
  const what = whatIsOptional({ required });
  const { first, last } = pausableUntil;
  const earliest = pause === null || pause.undo !== null ? first : pause.until;
  const text =
    pause === null
      ? `You get no ${what} from ${company} until the day that you choose. What would come before is not sent later.`
      : `What would come before is not sent later.${pause.undo === null ? ` To get messages sooner, ${again.link}.` : ''}`;
  const end =
    pause !== null &&
    pause.undo !== null &&
    html`<form method="post" action="${action}"><button class="button" name="undo" value="${pause.undo}">End the pause</button></form>`;
  const label = pause === null ? `Pause ${what} until` : 'Pause until another day';
  return html`<section aria-labelledby="pause"><h2 id="pause">${pause === null ? 'Pause' : `Paused until ${dayInWords(pause.until)}`}</h2>
<p>${text}</p>
${end}
<form class="dated" method="post" action="${action}"><label>${label}<input type="date" name="pause_until" min="${earliest}" max="${last}" required></label><button class="button">Pause</button></form></section>`;
}

/** The fields of the days of the week, Monday first. */
export const dayFields = ['day_1', 'day_2', 'day_3', 'day_4', 'day_5', 'day_6', 'day_7'] as const;

/** The hours in which messages come. */
function hoursOf(state: OfMessages, action: string) {
  const { company, wish, all, channel, ownZone, required } = state;
  if (!canSendLink(channel) || all?.covers === 'everything') return null;
  const shown = wish?.hours ?? { days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '20:00', timezone: ownZone };
  const hasRequired = required.length > 0;
  const waits = hasRequired ? `optional messages wait, and those that ${company} has to send do not` : 'they wait';
  const dueWait = hasRequired ? ` Those that ${company} has to send do not wait.` : '';
  const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), shown.timezone])].toSorted();
  return html`<section aria-labelledby="hours"><h2 id="hours">${wish === null ? 'Quiet hours' : 'Messages come only at chosen hours'}</h2>
<p>${wish === null ? `Messages from ${company} come at any time that ${company} sends. Choose the hours in which you want them: outside of these, ${waits}.` : `${receivingHoursText(wish.hours)} ${hasRequired ? 'Optional messages that are sent' : 'What is sent'} at another time ${hasRequired ? 'wait' : 'waits'} until then.${dueWait}`}</p>
${wish?.neverMeets === true && html`<p role="alert">${company} sends nothing in these hours: messages that you can leave do not reach you at all, and those that ${company} has to send come when it sends them.</p>`}
${wish?.isFixed === true && html`<p>These hours were chosen more than a day ago, so this page makes them shorter alone. To get messages at other times, ${againOf(state).link}.</p>`}
<details><summary>${wish === null ? 'Choose hours' : 'Change the hours'}</summary>
<form method="post" action="${action}"><input type="hidden" name="hours" value="chosen"><div class="times"><label>From<input type="time" name="from" value="${shown.from}" required></label><label>To<input type="time" name="to" value="${shown.to}" required></label></div>
<fieldset><legend>On</legend><div class="days">${dayFields.map((field, at) => html`<label><input type="checkbox" name="${field}"${shown.days.includes(at + 1) && raw(' checked')}>${weekdays[at]}</label>`)}</div></fieldset>
<label>Timezone<select name="timezone">${zones.map((zone) => html`<option${zone === shown.timezone && raw(' selected')}>${zone}</option>`)}</select></label>
<button class="button">Save the hours</button></form></details>
${wish !== null && !wish.isFixed && html`<form method="post" action="${action}"><button class="button" name="hours" value="any">Messages may come at any time</button></form>`}</section>`;
}

const whatIsOptional = ({ required }: Pick<OfMessages, 'required'>) =>
  required.length === 0 ? 'messages' : 'optional messages';

/** How long the link works that the visitor has opened. */
function requestedText(state: LinkState) {
  if (state.stops === 'monthly_report' || state.requested === null) return null;
  if (state.requested === 'over')
    return html`<p>The link that was sent to you worked for an hour. It does now what the link of every message does: below you have another one sent.</p>`;
  const { minutesLeft } = state.requested;
  return html`<p>This link was sent to you alone. For ${minutesLeft === 1 ? 'a minute' : `${minutesLeft} minutes`} more, you can also take back here what you left or paused long ago, and see what was sent to you. Do not forward it.</p>`;
}

/** How somebody gets messages again, by who has ended them. */
type Again = Record<'link' | 'others', string>;

const againOf = (state: OfMessages): Again => ({
  link: mayAsk(state) ? 'have a link sent to you' : `ask ${state.company}`,
  others: `ask ${state.company}`,
});

/** Whether a link to their preferences is offered: where a member or a bounce has ended everything, none would be sent. */
const mayAsk = (state: LinkState): boolean =>
  state.stops === 'messages' &&
  canSendLink(state.channel) &&
  (state.all === null || state.all.covers === 'optional' || state.all.by === 'link');

/** A link to the address itself, which may do more. */
const ownLink = (state: OfMessages, action: string) =>
  mayAsk(state) &&
  (state.requested === null || state.requested === 'over') &&
  html`<section aria-labelledby="link"><h2 id="link">A link of your own</h2>
<p>Messages can be forwarded, so this page does not undo what is older than a day. A link that is sent to ${state.recipient} does, for one hour, and shows what was sent to you.</p>
<form method="post" action="${action}"><input type="hidden" name="send" value="link"><button class="button">Send me a link</button></form></section>`;

/** What the person sees and chooses who has proved the address. */
function ownPage(state: OfMessages, action: string) {
  const { own, company, zone } = state;
  if (own === null) return null;
  const { sent, others, preferred } = own;
  const choice = (value: PreferableChannel | 'none', label: string, isChosen: boolean) =>
    html`<button class="button" name="prefer" value="${value}" aria-pressed="${isChosen ? 'true' : 'false'}">${label}</button>`;
  return html`${
    preferred !== null &&
    html`<section aria-labelledby="preferred"><h2 id="preferred">How messages reach you</h2>
<p>Where ${company} can send a message in several ways, the one that you choose is tried first.</p>
<form class="choices" method="post" action="${action}">${preferred.among.map((one) => choice(one, channelNames[one], preferred.now === one))}${choice('none', 'No preference', preferred.now === null)}</form></section>`
  }${
    others.length > 0 &&
    html`<section aria-labelledby="others"><h2 id="others">Your other addresses</h2>
<p>What you choose here is for ${state.recipient} alone. Have a link sent to another address of yours to choose for that one.</p>
<form method="post" action="${action}"><ul class="rows">${others.map(({ channel, shown }) => html`<li><span class="name">${channelNames[channel]}<small>${shown}</small></span><button class="button" name="send" value="${channel}">Send a link<span class="unseen"> to your ${addressWords[channel]}</span></button></li>`)}</ul></form></section>`
  }<section aria-labelledby="sent"><h2 id="sent">What ${company} sent you</h2>
${sent.messages.length === 0 ? html`<p>${sent.isFirst ? 'Nothing' : 'Nothing more'} in the last ${sentDays} days.</p>` : html`<p>In the last ${sentDays} days, ${channelWords[state.channel]}. Times are those of ${zone}.</p><ul class="rows">${sent.messages.map((one) => html`<li><span class="name">${aboutOf(one)}<small>${timeOf(one.at, zone)}</small></span><span>${outcomeWords[one.status]}</span></li>`)}</ul>`}
${(!sent.isFirst || sent.next !== null) && html`<p>${!sent.isFirst && html`<a href="${action}#sent">Latest messages</a> `}${sent.next !== null && html`<a href="${action}?before=${sent.next}#sent">Earlier messages</a>`}</p>`}</section>`;
}

const aboutOf = ({ type, about }: SentMessage): string =>
  type === 'preferences_link'
    ? 'A link of your own'
    : type === 'test_reminder'
      ? `Test: ${about ?? 'a message'}`
      : (about ?? 'A message');

/** `1 Dec 2026, 09:05`. */
function timeOf(at: string, zone: string): string {
  const local = Temporal.Instant.from(at).toZonedDateTimeISO(zone);
  return `${dayInWords(local.toPlainDate().toString())}, ${local.toPlainTime().toString({ smallestUnit: 'minute' })}`;
}

const outcomeWords: Record<DeliveryStatus, string> = {
  queued: 'Waits',
  waiting: 'Waits',
  sending: 'Being sent',
  accepted: 'Sent',
  delivered: 'Delivered',
  failed: 'Failed',
  unknown: 'Perhaps sent',
  skipped: 'Not sent',
};

const channelNames: Record<PreferableChannel, string> = { email: 'Email', sms: 'SMS', whatsapp: 'WhatsApp' };

/** Another address of the person, at the end of a sentence that begins with `your`. */
const addressWords: Record<PreferableChannel, string> = {
  email: 'email address',
  sms: 'number, by SMS',
  whatsapp: 'number, by WhatsApp',
};

const mostNamed = 5;

/** What is sent in any case. */
function requiredTopics({ company, required, all }: OfMessages) {
  if (required.length === 0 || all?.covers === 'everything') return null;
  const more = required.length - mostNamed;
  return html`<section><p>You will still get what ${company} has to send:</p>
<ul class="named">${required.slice(0, mostNamed).map(({ name, why }) => html`<li>${name}, ${dueWords[why]}</li>`)}${more > 0 && html`<li>and ${more} more</li>`}</ul></section>`;
}

/** Why somebody gets messages that they cannot leave. */
const dueWords: Record<TopicReason, string> = {
  contract: 'because of a contract with you',
  law: 'because the law requires it',
  safety: 'for your safety',
};

/** The channel at the end of a sentence. */
const channelWords: Record<ChannelType, string> = {
  email: 'by email',
  sms: 'by SMS',
  whatsapp: 'by WhatsApp',
  webhook: 'by webhook',
  slack: 'in Slack',
  push: 'by push notification',
};
