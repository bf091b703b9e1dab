/** For how long a link to their preferences that a recipient asked for may do more than the link of a message. */
export const linkMinutes = 60;

/** Until when such a link works, in epoch milliseconds. */
export const linkEndsMs = (askedForMs: number): number => askedForMs + linkMinutes * 60_000;

/** Stands in the stored text for the link, which only its recipient gets. */
export const hiddenLink = '(a link that only its recipient gets)';

type Message = { subject: string; message: string };

/** What is sent where a recipient asks for a link. */
export const linkMessage: Message = {
  subject: 'What {{ company_name }} sends you',
  message: `You asked for a link to see and change what {{ company_name }} sends you. It works for one hour:

{{ preferences_link }}

If you did not ask for it, you need not do anything.`,
};

/** The message as it is sent, with the link. Its content hash is that of the stored text. */
export const withLink = <T extends Message>(written: T, link: string): T => ({
  ...written,
  message: written.message.replaceAll(hiddenLink, () => link),
});
