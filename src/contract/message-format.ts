import { z } from 'zod';

/**
 * How the text of a message is read. `plain`: as it is written, which is also what a text without a format means.
 * `markdown`: as Markdown, which each channel shows in its own form.
 */
export const MessageFormat = z.enum(['plain', 'markdown'], 'must be plain or markdown');
export type MessageFormat = z.output<typeof MessageFormat>;
