import type SMTPConnection from 'nodemailer/lib/smtp-connection';

/** The most that a server sends over one connection, which takes at most 500 mails with a handful of replies each. */
const most = { bytes: 4 * 1024 * 1024, lines: 50_000, emptyLines: 100 };

/**
 * Ends a connection whose server sends more than replies. nodemailer puts each line into a queue and takes one out of it in each tick of the event loop,
 * beyond the end of the connection: empty lines, which answer nothing, made it grow without bound (decision 89).
 * Counted where nodemailer gets the bytes, because those of the socket are encrypted.
 */
export function boundReplies(connection: SMTPConnection): void {
  const count = { bytes: 0, lines: 0, emptyLines: 0 };
  let last = newline;
  const onData: unknown = Reflect.get(connection, '_onData');
  const onError: unknown = Reflect.get(connection, '_onError');
  if (typeof onData !== 'function' || typeof onError !== 'function')
    throw new Error('nodemailer takes what a server sends by another name than before');
  Reflect.set(connection, '_onData', (chunk: Buffer) => {
    count.bytes += chunk.length;
    for (const byte of chunk) {
      if (byte === newline) {
        count.lines += 1;
        if (last === newline) count.emptyLines += 1;
      }
      if (byte !== carriageReturn) last = byte;
    }
    if (count.bytes <= most.bytes && count.lines <= most.lines && count.emptyLines <= most.emptyLines)
      return Reflect.apply(onData, connection, [chunk]);
    Reflect.set(connection, '_responseQueue', []);
    Reflect.set(connection, '_remainder', '');
    Reflect.apply(onError, connection, [new Error('the server sends more than replies'), 'EPROTOCOL', false, 'CONN']);
  });
}

const [newline, carriageReturn] = [0x0a, 0x0d];
