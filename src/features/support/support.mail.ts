import { type SupportCategory, supportCategoryNames } from '#contract/support.ts';

type Asked = { id: string; email: string; category: SupportCategory; subject: string; message: string };

/** The mail to support: an answer to it goes to who asked. */
export const requestMail = ({ id, email, category, subject, message }: Asked, url: string) => ({
  replyTo: email,
  subject: `Support request: ${oneLine(subject)}`,
  text: [
    message,
    `From ${email}, about: ${supportCategoryNames[category]}`,
    `Answer this mail, or answer and close the request here: ${url}/admin?tab=support&request=${id}`,
  ].join('\n\n'),
});

/** The mail to who asked. */
export const answerMail = (
  { email, subject, message }: Pick<Asked, 'email' | 'subject' | 'message'>,
  { answer, replyTo }: { answer: string; replyTo: string | undefined },
) => ({
  to: email,
  ...(replyTo !== undefined && { replyTo }),
  subject: `Re: ${oneLine(subject)}`,
  text: `${answer}\n\n-- \nYou asked:\n\n${message.replaceAll(/^/gm, '> ')}`,
});

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
