import { describe, expect, it } from 'vitest';
import { adapter as smtp } from './smtp.adapter.ts';

describe('an email channel’s configuration', () => {
  it('requires encryption unless told otherwise and sends as the user name', () => {
    const config = smtp.shape.parse({ smtp_host: 'mail.example', smtp_port: '587', username: 'ann@example.com' });
    expect(config).toMatchObject({ smtp_port: 587, use_tls: true, from_email: 'ann@example.com', password: '' });
  });

  it.each([
    [{}, 'Configuration incomplete'],
    [{ smtp_host: 'a', smtp_port: 587 }, 'Configuration incomplete'],
    [{ smtp_host: '', smtp_port: 587, username: 'a@b.c' }, 'Configuration incomplete'],
    [{ smtp_host: 'a', smtp_port: 70_000, username: 'a@b.c' }, 'must be 1 to 65535'],
    [{ smtp_host: 'a', smtp_port: 587, username: 'ann' }, 'is required when the user name is not an email address'],
    [{ smtp_host: 'a', smtp_port: 587, username: 'ann', from_email: 'x\r\ny@b.c' }, 'must be an email address'],
    [{ smtp_host: 'a', smtp_port: 587, username: 'a@b.c', from_name: 'x\r\ny' }, 'must be one line'],
  ])('refuses %o', (configuration, sentence) => {
    const parsed = smtp.shape.safeParse(configuration);
    expect(parsed.error?.issues.map(({ message }) => message)).toContain(sentence);
  });
});
