import { z } from 'zod';
import type { Adapter, Network } from '#delivery/adapter.ts';
import {
  type Answered,
  apiTimeoutMs,
  inWords,
  notUnderstood,
  outcomeOfRequest,
  refusal,
  refused,
  tooLong,
  verifyByRequest,
} from '#delivery/answer.ts';
import { e164, notANumber } from '#delivery/phone.ts';
import { BaseUrl, DefaultCountry, incomplete, NeededKey, Optional, OptionalKey } from '#delivery/provider.config.ts';
import type { Outcome } from '#domain/outcome.ts';
import { inSegments, segmentsOf } from '#domain/sms-segments.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import { amzDate, awsAuthorization } from './aws-signature.ts';
import { smsFields } from './sms.fields.ts';

const usualRegion = 'us-east-1';
const regionForm = /^[a-z]{2}(-[a-z]+)+-\d$/;

const Config = z
  .object({
    api_key: NeededKey,
    api_secret: OptionalKey,
    from_number: Optional,
    region: z
      .union([z.literal(''), z.string().trim().regex(regionForm, 'must be a region such as us-east-1')])
      .default(usualRegion)
      .transform((region) => region || usualRegion),
    default_country: DefaultCountry,
    base_url: BaseUrl(''),
  })
  .transform((config) => ({ ...config, base_url: config.base_url || `https://sns.${config.region}.amazonaws.com` }));
type Config = z.output<typeof Config>;

const maxCharacters = 1_600;
const noSecret = `${incomplete}: AWS SNS needs the secret access key`;

/** Publishes to a phone number, with the query API of 2010-03-31. SNS reports deliveries to CloudWatch only. */
export const adapter: Adapter<Config> = {
  type: 'sms',
  provider: 'aws_sns',
  title: 'AWS SNS',
  rank: 2,
  shape: Config,
  secretFields: ['api_secret'],
  destinationFields: ['region', 'base_url'],
  fields: smsFields(
    'https://sns.us-east-1.amazonaws.com',
    {
      api_key: { placeholder: 'AKIAIOSFODNN7EXAMPLE', help: 'The access key ID' },
      api_secret: { help: 'The secret access key' },
      from_number: { placeholder: '+1234567890', help: 'An origination number or a sender ID; blank lets AWS choose' },
    },
    [
      {
        name: 'region',
        label: 'Region',
        kind: 'text',
        required: false,
        placeholder: usualRegion,
        default: usualRegion,
      },
    ],
  ),
  destinationOf: (_, config) => config.base_url,
  async send(envelope, { config, network }) {
    const PhoneNumber = e164(envelope.recipient, config);
    if (PhoneNumber === null) return refused(notANumber(envelope.recipient), 'unfit_address');
    if (config.api_secret === undefined) return refused(noSecret, 'no_channel');
    const refusedText = tooLong(envelope.message, { max: maxCharacters, by: 'AWS SNS' });
    if (refusedText !== null) return refusedText;
    const attributes = { 'AWS.SNS.SMS.SMSType': 'Transactional', ...senderOf(config.from_number) };
    const request = signedRequest(
      { Action: 'Publish', PhoneNumber, Message: envelope.message, ...entries(attributes) },
      { config, network },
    );
    const segments = inSegments(segmentsOf(envelope.message));
    return outcomeOfRequest(request, {
      network,
      read: (answer) => outcomeOf(answer, { segments, now: network.now() }),
    });
  },
  async verify(config, network) {
    if (config.api_secret === undefined) return { success: false, message: noSecret };
    return verifyByRequest(signedRequest({ Action: 'GetSMSAttributes' }, { config, network }), {
      network,
      read: (answer) =>
        answer.status === 200
          ? { success: true, message: `Connected to AWS SNS in ${config.region}` }
          : { success: false, message: errorIn(answer).reason },
    });
  },
};

function senderOf(from: string | undefined): Record<string, string> {
  if (from === undefined) return {};
  const number = e164(from);
  return number === null ? { 'AWS.SNS.SMS.SenderID': from } : { 'AWS.MM.SMS.OriginationNumber': number };
}

const entries = (attributes: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value], at) => {
      const entry = `MessageAttributes.entry.${at + 1}`;
      return [
        [`${entry}.Name`, name],
        [`${entry}.Value.DataType`, 'String'],
        [`${entry}.Value.StringValue`, value],
      ];
    }),
  );

function signedRequest(
  parameters: Record<string, string>,
  { config, network }: { config: Config; network: Network },
): HttpRequest {
  const url = new URL(`${config.base_url}/`);
  const body = new URLSearchParams({ ...parameters, Version: '2010-03-31' }).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    host: url.host,
    'x-amz-date': amzDate(network.now()),
  };
  const account = { accessKeyId: config.api_key, secretAccessKey: config.api_secret ?? '' };
  const authorization = awsAuthorization(
    { method: 'POST', url, headers, body },
    { ...account, region: config.region, service: 'sns' },
  );
  return {
    url: url.href,
    method: 'POST',
    headers: [...Object.entries(headers).flat(), 'authorization', authorization, 'user-agent', 'Cuebird'],
    body,
    timeoutMs: apiTimeoutMs,
  };
}

function outcomeOf(answer: Answered, { segments, now }: { segments: string; now: Temporal.Instant }): Outcome {
  if (answer.status >= 300) {
    const { code, reason } = errorIn(answer);
    return refusal(answer, { reason, now, ...(temporary.test(code) && { permanent: false }) });
  }
  const receipt = tagIn(answer.body, /<MessageId>([^<]*)<\/MessageId>/);
  if (receipt === null) return notUnderstood(answer);
  return { outcome: 'accepted', receipt, answer: `HTTP ${answer.status}: published (${segments})` };
}

/** Codes of "Common errors" that are not about the message: too many requests, or a fault at AWS. */
const temporary = /Throttl|^TooManyRequests|^RequestLimitExceeded|^InternalError|^InternalFailure|^ServiceUnavailable/;

function errorIn(answer: Answered): { code: string; reason: string } {
  const code = tagIn(answer.body, /<Code>([^<]*)<\/Code>/);
  if (code === null) return { code: '', reason: `AWS SNS: ${inWords(answer)}` };
  return { code, reason: `AWS SNS ${code}: ${tagIn(answer.body, /<Message>([^<]*)<\/Message>/) ?? 'no reason given'}` };
}

/** The text of the first such element. SNS responses are small, flat XML. */
function tagIn(xml: string, element: RegExp): string | null {
  const found = element.exec(xml)?.[1];
  if (found === undefined || found === '') return null;
  return found.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity] ?? '');
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
