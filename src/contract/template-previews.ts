import { z } from 'zod';
import { channelTypes } from '#contract/channel-types.ts';
import { Id, Text } from '#contract/common.ts';
import { get, post } from '#contract/route.ts';
import { TemplateContent, templateLimits, TemplateVariables } from '#contract/templates.ts';

const Values = z
  .record(Text(templateLimits.variableName), Text(templateLimits.value))
  .refine((values) => Object.keys(values).length <= 2 * templateLimits.variables, 'must be at most 200 values');

export const PreviewBody = z.strictObject({
  content: TemplateContent,
  /** The channel whose form of the message is shown; that of the template's type by default. */
  channel: z.enum(channelTypes).optional(),
  variables: TemplateVariables.default({ variables: [] }),
  values: Values.default({}),
});

export const Preview = z.object({
  subject: z.string(),
  /** The text in the channel's notation, such as Slack's mrkdwn for Markdown. */
  body: z.string(),
  /** The HTML of a mail; null for other channels, and for a mail that is sent as text alone. */
  html: z.string().nullable(),
  /** What the text, not its values, mentions in Slack, such as `<!here>`; it pings where the Slack channel has `allow_mentions`. */
  mentions: z.array(z.string()),
  /** Variables without a value, which the text shows as placeholders. A message with one of them is not sent. */
  missing: z.array(z.string()),
  /** Why a part cannot be rendered; the text then shows its source. */
  problems: z.array(z.object({ part: z.enum(['subject', 'body']), message: z.string() })),
});
export type Preview = z.output<typeof Preview>;

/** The values as JSON in the URL, because a link has no body. */
const ValuesText = z
  .string()
  .max(templateLimits.valuesInAddress)
  .transform((text, { addIssue }) => {
    try {
      const parsed = Values.safeParse(JSON.parse(text));
      if (parsed.success) return parsed.data;
    } catch {
      // The issue below also covers text that is not JSON.
    }
    addIssue({ code: 'custom', message: 'must be an object of texts, as JSON' });
    return z.NEVER;
  });

export const templatePreviewRoutes = {
  previewTemplate: post('/api/templates/preview', {
    changesNothing: true,
    access: 'member',
    scope: ['read'],
    summary: 'Render a subject and a body as a message',
    body: PreviewBody,
    limit: { usage: 'previews' },
    answer: Preview,
  }),
  getTemplateHtml: get('/api/templates/:id/html', {
    access: 'member',
    summary: 'The template as the HTML part of a mail, for a sandboxed frame',
    query: z.strictObject({ workspace: Id, values: ValuesText.optional() }),
    answer: 'file',
  }),
};
