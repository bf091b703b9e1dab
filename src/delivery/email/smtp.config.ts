import { z } from 'zod';
import { emailLimit, parseEmail } from '#contract/email-address.ts';

const incomplete = 'Configuration incomplete';

const isEmail = (text: string) => parseEmail(text) !== null;

const EmailAddress = z.string().trim().max(emailLimit).refine(isEmail, 'must be an email address');
const oneLine = /^[^\r\n\0]*$/;

/**
 * A mail server of a workspace (spec 001, section 3). Without `from_email`, the user name is the sender and must be an
 * address.
 */
export const EmailConfig = z
  .object({
    smtp_host: z
      .string(incomplete)
      .trim()
      .min(1, incomplete)
      .max(253)
      .regex(/^[^\s\0]*$/, 'must be a host name'),
    smtp_port: z.coerce.number(incomplete).int().min(1, 'must be 1 to 65535').max(65_535, 'must be 1 to 65535'),
    username: z.string(incomplete).min(1, incomplete).max(200).regex(oneLine, 'must be one line'),
    password: z.string().max(1_000).default(''),
    from_email: z.literal('').or(EmailAddress).optional(),
    from_name: z.string().max(200).regex(oneLine, 'must be one line').default(''),
    use_tls: z.boolean().default(true),
    reply_to: z.literal('').or(EmailAddress).optional(),
    return_address: z.literal('').or(EmailAddress).optional(),
  })
  .refine(({ from_email, username }) => from_email || isEmail(username), {
    path: ['from_email'],
    message: 'is required when the user name is not an email address',
  })
  .transform((config) => ({ ...config, from_email: config.from_email || config.username }));
export type EmailConfig = z.output<typeof EmailConfig>;
