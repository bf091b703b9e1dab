import type { ChannelType } from '#contract/channel-types.ts';
import type { MessageFormat } from '#contract/message-format.ts';
import { type MessageForm } from '#domain/message-format/message-format.ts';
import { unmarked } from '#domain/message-format/marked-values.ts';
import { plainForSlack } from '#domain/message-format/slack-mentions.ts';
import type { Renderer } from '#domain/rendering.ts';
import type { Rendered, Values } from '#domain/template.ts';

/** A message as a channel sends it. `formatted` is set where it is in the channel's own notation already. */
export type WrittenMessage = { subject: string; message: string; formatted?: { html: string | null } };

/** Why the message could not be written. */
export type NotWritten = Exclude<Rendered, { kind: 'rendered' }>;

type Text = { subject: string; message: string; format: MessageFormat };

/** The format in which each channel shows Markdown; null where it sends the text as it is written. */
export const formOf: Record<ChannelType, MessageForm | null> = {
  email: 'mail',
  sms: 'words',
  whatsapp: 'whatsapp',
  webhook: null,
  slack: 'slack',
  push: 'words',
};

/** Renders a message for one recipient, and formats it for the channel. Returns at once where nothing has to wait. */
export function writeMessage(
  { subject, message, format }: Text,
  { renderer, channel, ...of }: { renderer: Renderer; channel: ChannelType; workspaceId: string; values: Values },
): WrittenMessage | NotWritten | Promise<WrittenMessage | NotWritten> {
  const isMarkdown = format === 'markdown';
  const marksValues = isMarkdown || channel === 'slack';
  const parts = renderer.message([subject, message], { ...of, marksValues });
  const finish = (rendered: readonly Rendered[]) => {
    const written = textsOf(rendered);
    if ('kind' in written || !marksValues) return written;
    const form = formOf[channel];
    const plain = { subject: unmarked(written.subject), message: unmarked(written.message) };
    if (!isMarkdown) return { ...plain, message: plainForSlack(written.message), formatted: { html: null } };
    if (form === null) return plain;
    const formatted = renderer.format(written.message, { workspaceId: of.workspaceId, form });
    const withForm = ({ text, html }: { text: string; html: string | null }): WrittenMessage => ({
      subject: plain.subject,
      message: text,
      formatted: { html },
    });
    return formatted instanceof Promise ? formatted.then(withForm) : withForm(formatted);
  };
  return parts instanceof Promise ? parts.then(finish) : finish(parts);
}

function textsOf([subject, message]: readonly Rendered[]): WrittenMessage | NotWritten {
  if (subject?.kind !== 'rendered') return subject ?? notRendered;
  if (message?.kind !== 'rendered') return message ?? notRendered;
  return { subject: subject.text, message: message.text };
}

const notRendered: NotWritten = { kind: 'broken', reason: 'it has no text' };
