import { z } from 'zod';

const Payload = z.object({ email: z.email() });

/** The address that a verification token names; null for text that is none. Only the server knows whether it is valid. */
export function emailInLink(token: string): string | null {
  try {
    const [, payload = ''] = token.split('.');
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    return Payload.parse(JSON.parse(new TextDecoder().decode(bytes))).email;
  } catch {
    return null;
  }
}
