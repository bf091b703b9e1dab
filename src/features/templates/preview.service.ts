import type { ChannelType } from '#contract/channel-types.ts';
import type { Preview } from '#contract/template-previews.ts';
import type { TemplateContent } from '#contract/templates.ts';
import { previewMessage } from '#domain/message-preview.ts';
import type { Renderer } from '#domain/rendering.ts';
import { mailSenderOf } from '#features/workspaces/mail-sender.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { AfterCommit } from '#platform/handler.ts';

type Asked = { content: TemplateContent; channel: ChannelType; values: Record<string, string>; renderer: Renderer };

/** The message of a template, as a channel sends it. */
export async function previewAs(
  ctx: TenantContext,
  { content, channel, values, renderer }: Asked,
): Promise<AfterCommit<Preview>> {
  const { workspaceId } = ctx;
  const sender = await mailSenderOf(ctx);
  const { format = 'plain' } = content;
  return new AfterCommit(async () => {
    const { body, ...previewed } = await renderer.preview(content, { workspaceId, values, marksValues: true });
    const { subject } = previewed;
    const message = await previewMessage(body, {
      subject,
      format,
      channel,
      sender,
      formatted: (form) => renderer.format(body, { workspaceId, form }),
    });
    return { ...previewed, ...message };
  });
}
