import type { Consent, ConsentMethod, NoteMethod } from '#contract/consents.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';

const said: Record<Consent['kind'], string> = {
  asked: 'Was asked for consent',
  given: 'Consents',
  withdrawn: 'Wants no more',
  lifted: 'Taken off the suppression list',
};

/** `Consents to messages by SMS`, `Wants no more messages about Events by email`. */
export function saidText({ kind, covers, channel, topic_name: topic }: Consent): string {
  const of =
    covers === 'everything'
      ? 'messages'
      : covers === 'optional'
        ? 'optional messages'
        : `messages about ${topic ?? 'a topic'}`;
  const by = `by ${channelLooks[channel].name}`;
  return kind === 'given'
    ? `${said.given} to ${of} ${by}`
    : kind === 'lifted'
      ? `${said.lifted}: ${of} ${by}`
      : `${said[kind]}${kind === 'withdrawn' ? ` ${of}` : ''} ${by}`;
}

const methods: Record<ConsentMethod, string> = {
  import: 'imported',
  form: 'in a form',
  api: 'told by a program',
  reply: 'by an answer to a message',
  page: 'on the page that a message named',
  link: 'by the link in a message',
  member: 'noted by a member',
};

export const noteMethodWords: Record<NoteMethod, string> = {
  phone: 'by phone',
  writing: 'in writing',
  in_person: 'in person',
};

/** `noted by Mo, told by phone`, `by the link in a message`. */
export function howText({ method, by, source: { how, narrowed_to: to } }: Consent): string {
  const whom =
    by.kind === 'recipient' || by.name === null
      ? methods[method]
      : method === 'member'
        ? `noted by ${by.name}`
        : `${methods[method]}, ${by.name}`;
  return [whom, how !== undefined && `told ${noteMethodWords[how]}`, to !== undefined && `now only ${to}`]
    .filter(Boolean)
    .join(', ');
}

/** From where it was said: a page, the address of a request. */
export const whereText = ({ source: { form, client_address: own }, client_address: address }: Consent): string =>
  [form, own ?? address].filter((part) => part !== undefined && part !== null && part !== '').join(', ');
