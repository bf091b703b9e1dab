import type { MagicFate } from '#contract/simulated-failures.ts';
import { workspaceOf } from '#sandbox/accounts.ts';
import { type Answer, type Call, formOf, mediaTypeOf } from '#sandbox/call.ts';
import { answered, type Emulator, fateOf, type EmulatorContext, isE164, type Received } from '#sandbox/emulator.ts';
import { segmentsOf } from '#sandbox/sms-segments.ts';
import { checkSignature } from './sigv4.ts';

/**
 * `Publish` of Amazon SNS to a phone number, signed with Signature Version 4 (docs.aws.amazon.com/sns/latest/api). It
 * has no callbacks: SNS reports to CloudWatch only.
 */
export const awsSns: Emulator = {
  provider: 'aws_sns',
  owns: ({ path, headers }) => path === '/' && mediaTypeOf(headers) === 'application/x-www-form-urlencoded',
  receive,
  throttled: () => refusal(400, { type: 'Sender', code: 'Throttling', message: 'Rate exceeded' }),
  unavailable: (status) =>
    refusal(status, {
      type: 'Receiver',
      code: status === 503 ? 'ServiceUnavailable' : 'InternalFailure',
      message: 'Service is unable to handle request.',
    }),
};

/** How the access key id of a workspace's account begins; the rest is its name. */
const keyIdPrefix = 'AKIA';
export const accessKeyIdOf = (account: string) => `${keyIdPrefix}${account.toUpperCase()}`;
const workspaceOfKeyId = (keyId: string) => (keyId.startsWith(keyIdPrefix) ? workspaceOf(keyId.slice(4)) : null);

async function receive(call: Call, context: EmulatorContext): Promise<Received> {
  const signed = checkSignature(call, {
    service: 'sns',
    secretFor(keyId) {
      const workspaceId = workspaceOfKeyId(keyId);
      return workspaceId === null ? null : context.accounts.secretOf('aws', workspaceId, 40);
    },
  });
  if ('code' in signed) return answered(refusal(signed.status, { type: 'Sender', ...signed }));
  const workspaceId = workspaceOfKeyId(signed.accessKeyId);
  if (workspaceId === null) throw new Error('A signature of no account was accepted');
  const form = formOf(call);
  if (form === null || form.get('Action') === null) {
    return answered(
      refusal(400, {
        type: 'Sender',
        code: 'MissingAction',
        message: 'The request is missing an action or a required parameter.',
      }),
    );
  }
  const action = form.get('Action') ?? '';
  const version = form.get('Version') ?? '';
  if (version !== '2010-03-31' || !['Publish', 'GetSMSAttributes'].includes(action)) {
    return answered(
      refusal(400, {
        type: 'Sender',
        code: 'InvalidAction',
        message: `Could not find operation ${action} for version ${version || 'NO_VERSION_SPECIFIED'}`,
      }),
    );
  }
  // Programs use this to check their credentials.
  if (action === 'GetSMSAttributes') return answered(xmlAnswer(200, response(action, '<attributes/>')));
  return publish(form, { call, context, workspaceId });
}

async function publish(
  form: URLSearchParams,
  { call, context, workspaceId }: { call: Call; context: EmulatorContext; workspaceId: string },
): Promise<Received> {
  const invalid = (message: string) =>
    answered(refusal(400, { type: 'Sender', code: 'InvalidParameter', message: `Invalid parameter: ${message}` }));
  const [recipient, text] = [form.get('PhoneNumber') ?? '', form.get('Message') ?? ''];
  if (!form.has('PhoneNumber')) return invalid('TopicArn or TargetArn Reason: no value for required parameter');
  if (!isE164(recipient)) return invalid(`PhoneNumber Reason: ${recipient} is not valid to publish to`);
  if (text === '') return invalid('Empty message');
  if (Array.from(text).length > 1_600) return invalid('Message too long');
  const attributes = attributesOf(form);
  if (attributes === null) {
    return answered(
      refusal(400, {
        type: 'Sender',
        code: 'ParameterValueInvalid',
        message: 'The message attributes are not well formed: each needs a Name, a DataType and a value of it.',
      }),
    );
  }
  const sender = attributes.get('AWS.SNS.SMS.SenderID') ?? attributes.get('AWS.MM.SMS.OriginationNumber') ?? 'NOTICE';
  const type = attributes.get('AWS.SNS.SMS.SMSType') ?? 'Promotional';
  if (!['Promotional', 'Transactional'].includes(type))
    return invalid(`SMSType Reason: ${type} is not a valid SMSType`);
  if (attributes.has('AWS.SNS.SMS.SenderID') && !/^(?=.*[A-Za-z])[A-Za-z0-9-]{1,11}$/.test(sender))
    return invalid(`SenderID Reason: ${sender} is not a valid sender ID`);
  const fate = fateOf(recipient);
  const refused = fate === null ? undefined : refusals[fate];
  if (refused) return invalid(refused(recipient));
  if (await context.hasOptedOut({ workspaceId, provider: 'aws_sns', sender, recipient }))
    return invalid(optedOut(recipient));
  const message = {
    workspaceId,
    channel: 'sms' as const,
    sender,
    recipient,
    subject: '',
    text,
    segments: segmentsOf(text).segments,
  };
  return {
    kind: 'taken',
    fate,
    message: { ...message, raw: call.body.toString(), callbackUrl: null },
    answer: (id) => xmlAnswer(200, response('Publish', `<MessageId>${id}</MessageId>`)),
  };
}

const optedOut = (recipient: string) => `PhoneNumber Reason: ${recipient} is opted out`;

const refusals: Partial<Record<MagicFate, (recipient: string) => string>> = {
  invalid: (recipient) => `PhoneNumber Reason: ${recipient} is not valid to publish to`,
  opted_out: optedOut,
};

/** `MessageAttributes.entry.1.Name`, `….Value.DataType` and `….Value.StringValue`; null when one lacks a part. */
function attributesOf(form: URLSearchParams): Map<string, string> | null {
  const found = new Map<string, string>();
  const numbers = new Set(
    [...form.keys()].flatMap((name) => /^MessageAttributes\.entry\.(\d+)\./.exec(name)?.[1] ?? []),
  );
  for (const number of numbers) {
    const part = (name: string) => form.get(`MessageAttributes.entry.${number}.${name}`);
    const [name, type, value] = [part('Name'), part('Value.DataType'), part('Value.StringValue')];
    if (!name || !value || !/^(String|Number)(\.|$)/.test(type ?? '')) return null;
    found.set(name, value);
  }
  return found;
}

const requestId = '00000000-0000-4000-8000-000000000000';

const response = (action: string, result: string) =>
  `<${action}Response xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><${action}Result>${result}</${action}Result>` +
  `<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata></${action}Response>`;

function refusal(
  status: number,
  { type, code, message }: { type: 'Sender' | 'Receiver'; code: string; message: string },
): Answer {
  return xmlAnswer(
    status,
    `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>${type}</Type><Code>${code}</Code>` +
      `<Message>${escaped(message)}</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`,
  );
}

function xmlAnswer(status: number, body: string): Answer {
  return { status, headers: { 'content-type': 'text/xml', 'x-amzn-requestid': requestId }, body };
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
