import type { ChannelType } from '#contract/channel-types.ts';
import { cannotBeRendered, variableIsMissing } from '#domain/ledger-reasons.ts';
import type { Renderer } from '#domain/rendering.ts';
import { type Contact, messageValues } from '#domain/variables.ts';
import { writeMessage, type WrittenMessage } from '#domain/written-message.ts';
import type { JobText } from '#features/jobs/job-text.ts';

/** Everything that a message is rendered from, except the text. */
export type Reader = Omit<Parameters<typeof messageValues>[0], 'values' | 'data' | 'timezone'> & {
  contact: Contact | null;
};

export type Written = WrittenMessage | { reason: string };

type Of = { reader: Reader; channel: ChannelType; workspaceId: string; renderer: Renderer };

/** Renders a text for one recipient; a reason where that is not possible. */
export async function write(text: JobText, { reader, ...of }: Of): Promise<Written> {
  const written = await writeMessage(text, { ...of, values: valuesOf(text, reader) });
  if (!('kind' in written)) return written;
  return {
    reason:
      written.kind === 'missing' ? variableIsMissing(written.variable).reason : cannotBeRendered(written.reason).reason,
  };
}

/** A job's name with the values of one recipient; as it is where that is not possible. */
export async function writeName(
  name: string,
  { text, reader, renderer, workspaceId }: Omit<Of, 'channel'> & { text: JobText },
) {
  const [written] = await renderer.message([name], { workspaceId, values: valuesOf(text, reader) });
  return written?.kind === 'rendered' ? written.text : name;
}

const valuesOf = (text: JobText, reader: Reader) => messageValues({ ...reader, ...text });
