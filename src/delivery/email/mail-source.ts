import { Readable } from 'node:stream';

/** What is handed over at a time, so that a connection that breaks in a long mail breaks before its end. */
const sliceBytes = 65_536;

/** The bytes of a mail as nodemailer reads them. Its end is read right before the final dot is sent. */
export class MailSource extends Readable {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    super({ highWaterMark: 1 });
    this.#bytes = bytes;
  }

  override _read(): void {
    const end = this.#at + sliceBytes;
    const slice = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    this.push(slice);
    if (end >= this.#bytes.length) this.push(null);
  }
}
