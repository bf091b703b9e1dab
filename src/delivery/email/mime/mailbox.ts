import MimeNode from 'nodemailer/lib/mime-node';
import { encodedWords } from './encoded-words.ts';
import { fold, isPlain, withoutControls } from './header.ts';
import { longestLine } from './quoted-printable.ts';

type Mailbox = { name: string; address: string };

/** The header of a sender, recipient or address for answers (RFC 5322, section 3.4). */
export function mailboxHeader(header: string, { name, address }: Mailbox): string {
  const line = withoutControls(name).trim();
  const sendable = sendableAddress(address);
  if (line === '') return `${header}: ${usual.test(sendable) ? sendable : `<${sendable}>`}`;
  if (isPlain(line) && /^[\w ]*$/.test(line)) return fold(`${header}: ${line} <${sendable}>`);
  if (line.length <= longestQuoted && /^[\x20-\x7e]*$/.test(line) && !line.includes('=?')) {
    const quoted = line.replace(/["\\]/g, (character) => `\\${character}`);
    return fold(`${header}: "${quoted}" <${sendable}>`);
  }
  const words = `${header}: ${encodedWords(line, header.length + 2)}`;
  const lastLine = words.length - words.lastIndexOf('\n') - 1;
  const gap = lastLine + sendable.length + ' <>'.length > longestLine ? '\r\n ' : ' ';
  return `${words}${gap}<${sendable}>`;
}

/** The longest name in quotes: even with a backslash before each character it fits into the first line. */
const longestQuoted = 30;

const usual = /^[\w!#$%&'*+\-/=?^`{|}~]+(?:\.[\w!#$%&'*+\-/=?^`{|}~]+)*@[a-z0-9.-]+$/;

/** The address as SMTP and headers write it. Unusual ones are left to nodemailer, which quotes them and encodes domains. */
export function sendableAddress(address: string): string {
  if (usual.test(address)) return address;
  const { to } = new MimeNode(false).setEnvelope({ to: [{ name: '', address }] }).getEnvelope();
  return to[0] ?? '';
}
