import { z } from 'zod';
import type { MagicFate } from '#contract/simulated-failures.ts';
import { type Answer, type Call, jsonAnswer, jsonOf } from '#sandbox/call.ts';
import { answered, type Emulator, fateOf, type EmulatorContext, isE164, type Received } from '#sandbox/emulator.ts';
import { phoneNumberIdOf, report, shownNumber, wamidOf } from './whatsapp-business-reports.ts';

const tokenPrefix = 'EAA';

/**
 * Meta's WhatsApp Cloud API (developers.facebook.com/docs/whatsapp/cloud-api: reference/messages, support/error-codes).
 * The customer service window always counts as open, so that free text is accepted.
 */
export const whatsAppBusiness: Emulator = {
  provider: 'whatsapp_business',
  owns: ({ path }) => /^\/v\d+\.\d+\//.test(path),
  receive,
  throttled: () =>
    refusal(429, {
      code: 130429,
      message: '(#130429) Rate limit hit',
      details:
        'Message failed to send because there were too many messages sent from this phone number in a short period of time',
    }),
  unavailable: (status) =>
    refusal(status, {
      code: 131000,
      message: '(#131000) Something went wrong',
      details: 'Message failed to send due to an unknown error.',
    }),
  report,
};

export const accessTokenOf = ({ accounts }: Pick<EmulatorContext, 'accounts'>, workspaceId: string) =>
  `${tokenPrefix}${accounts.tokenOf('meta', workspaceId)}`;

async function receive(call: Call, context: EmulatorContext): Promise<Received> {
  const [, token = ''] = /^Bearer (\S+)$/i.exec(call.headers.authorization ?? '') ?? [];
  const workspaceId = token.startsWith(tokenPrefix)
    ? context.accounts.openToken('meta', token.slice(tokenPrefix.length))
    : null;
  if (workspaceId === null)
    return answered(refusal(401, { code: 190, message: 'Invalid OAuth access token - Cannot parse access token' }));
  const [, , id = '', edge] = call.path.split('/');
  if (id !== phoneNumberIdOf(context, workspaceId)) return answered(unknownObject(call.method, id));
  // Programs use this to check their token.
  if (edge === undefined && call.method === 'GET') {
    return answered(
      jsonAnswer(200, {
        verified_name: 'Cuebird sandbox',
        display_phone_number: shownNumber,
        quality_rating: 'GREEN',
        id,
      }),
    );
  }
  if (edge !== 'messages' || call.method !== 'POST') return answered(unknownObject(call.method, `${id}/${edge ?? ''}`));
  return check(call, workspaceId);
}

const Message = z.looseObject({
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.literal('individual').default('individual'),
  to: z.string(),
  type: z.enum(['text', 'template']).default('text'),
  text: z.looseObject({ body: z.string().min(1).max(4_096), preview_url: z.boolean().optional() }).optional(),
  template: z
    .looseObject({
      name: z.string().min(1),
      language: z.looseObject({ code: z.string().min(2) }),
      components: z
        .array(z.looseObject({ parameters: z.array(z.looseObject({ text: z.string().optional() })).default([]) }))
        .default([]),
    })
    .optional(),
});

function check(call: Call, workspaceId: string): Received {
  const parsed = Message.safeParse(jsonOf(call) ?? {}, { reportInput: true });
  if (!parsed.success) return answered(parameterRefusal(parsed.error.issues[0]));
  const { to, type, text, template } = parsed.data;
  const shown = type === 'text' ? text?.body : templateText(template);
  if (shown === undefined)
    return answered(
      refusal(400, {
        code: 131008,
        message: '(#131008) Required parameter is missing',
        details: `Parameter '${type}' is mandatory for type '${type}'`,
      }),
    );
  const recipient = `+${to.replace(/[\s()+-]/g, '')}`;
  const fate = fateOf(recipient);
  if (!isE164(recipient) || (fate !== null && refused.has(fate))) return answered(invalidRecipient);
  return {
    kind: 'taken',
    fate,
    message: {
      workspaceId,
      channel: 'whatsapp',
      sender: shownNumber,
      recipient,
      subject: type === 'template' ? (template?.name ?? '') : '',
      text: shown,
      raw: call.body.toString(),
      segments: null,
      callbackUrl: null,
    },
    answer: (id) =>
      jsonAnswer(200, {
        messaging_product: 'whatsapp',
        contacts: [{ input: to, wa_id: recipient.slice(1) }],
        messages: [{ id: wamidOf(id) }],
      }),
  };
}

const refused: ReadonlySet<MagicFate> = new Set(['invalid']);

/** Only Meta knows the text of a template, so the parameters are shown. */
function templateText(template: z.output<typeof Message>['template']): string | undefined {
  return template?.components.flatMap(({ parameters }) => parameters.flatMap(({ text }) => text ?? [])).join('\n');
}

function parameterRefusal(issue: z.core.$ZodIssue | undefined): Answer {
  const [first = '', ...rest] = issue?.path.map(String) ?? [];
  const name = first + rest.map((part) => `['${part}']`).join('');
  if (issue?.code === 'too_big')
    return refusal(400, {
      code: 100,
      message: `(#100) Param ${name} must be at most ${issue.maximum} characters long.`,
    });
  if (issue?.code === 'too_small' || issue?.input === undefined)
    return refusal(400, { code: 100, message: `(#100) The parameter ${name} is required.` });
  return refusal(400, { code: 100, message: `(#100) Param ${name} is not valid` });
}

const invalidRecipient = refusal(400, {
  code: 131009,
  message: '(#131009) Parameter value is not valid',
  details: 'Recipient phone number is not valid',
});

const unknownObject = (method: string, id: string) =>
  refusal(400, {
    code: 100,
    type: 'GraphMethodException',
    message: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
  });

function refusal(
  status: number,
  {
    code,
    message,
    details,
    type = 'OAuthException',
  }: { code: number; message: string; details?: string; type?: string },
): Answer {
  const error = {
    message,
    type,
    code,
    ...(details !== undefined && { error_data: { messaging_product: 'whatsapp', details } }),
  };
  return jsonAnswer(status, { error: { ...error, fbtrace_id: 'ACuebirdSandbox' } });
}
