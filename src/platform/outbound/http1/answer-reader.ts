import { type AnswerHead, parseHead } from './answer-head.ts';
import { Chunks } from './chunks.ts';

/** The most bytes of one head, as in Node. */
const mostHeadBytes = 16_384;
/** The most informational answers (RFC 9110, 15.2) before the final one. */
const mostInformational = 100;

const protocol = 'HTTP/1.';
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** Reads one answer as it arrives. The buffer that it is given is reused, so it copies what it keeps. */
export class AnswerReader {
  /** With `too long` and `malformed` reading has ended; the head may be known by then. */
  state: 'head' | 'body' | 'complete' | 'too long' | 'malformed' = 'head';
  /** Bytes have followed that belong to no answer. */
  hasSurplus = false;
  head: AnswerHead | null = null;
  readonly #mostBytes: number;
  #partialHead = '';
  /** How many bytes of line breaks came before the head. */
  #lineBreaks = 0;
  #informational = 0;
  #left = 0;
  #chunks: Chunks | null = null;
  #kept = Buffer.alloc(0);
  #size = 0;
  #text: string | null = null;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  read(bytes: Buffer, length: number): void {
    let at = 0;
    while (this.state === 'head' && at < length) at = this.#readHead(bytes, { from: at, to: length });
    if (this.state === 'body' && at < length) at = this.#readBody(bytes, { from: at, to: length });
    this.hasSurplus = at < length;
  }

  /** The connection has ended, which for some answers is the end of the body. */
  end(): void {
    if (this.state === 'body' && this.head?.body === 'until the end') this.state = 'complete';
  }

  /** The part of the body that was kept. Empty where it is compressed: nothing is unpacked. */
  get body(): string {
    const encoding = this.head?.headers['content-encoding'];
    if (encoding && encoding !== 'identity') return '';
    const text = this.#text ?? this.#kept.toString('utf8', 0, this.#size);
    // Removes NUL, which PostgreSQL text cannot contain.
    return text.includes('\0') ? text.replaceAll('\0', '') : text;
  }

  /** Looks at each byte once, even if they arrive one by one. */
  #readHead(bytes: Buffer, { from, to }: { from: number; to: number }): number {
    const start = this.#partialHead === '' ? this.#skipLineBreaks(bytes, { from, to }) : from;
    const before = this.#partialHead.length;
    const most = mostHeadBytes - this.#lineBreaks - before;
    const text = this.#partialHead + bytes.toString('latin1', start, Math.min(to, start + most));
    // The empty line that ends the head may have begun in bytes that arrived before.
    const end = text.indexOf('\r\n\r\n', before - 3);
    if (end === -1) {
      const isHttp = protocol.startsWith(text.slice(0, protocol.length));
      if (!isHttp || to - start >= most) this.state = 'malformed';
      this.#partialHead = text;
      return to;
    }
    this.#partialHead = '';
    this.#lineBreaks = 0;
    this.#beginBody(parseHead(text.slice(0, end)));
    return start + end + 4 - before;
  }

  /** Skips empty lines before the head: some servers end a body with one too many. */
  #skipLineBreaks(bytes: Buffer, { from, to }: { from: number; to: number }): number {
    let at = from;
    while (at < to && (bytes[at] === carriageReturn || bytes[at] === lineFeed)) at += 1;
    this.#lineBreaks += at - from;
    return at;
  }

  #beginBody(head: AnswerHead | null): void {
    // 101 switches to another protocol, which no request asks for.
    if (head === null || head.status === 101) this.state = 'malformed';
    else if (head.status < 200) {
      this.#informational += 1;
      if (this.#informational > mostInformational) this.state = 'malformed';
    } else {
      this.head = head;
      this.state = head.body === 0 ? 'complete' : 'body';
      if (head.body === 'chunked') this.#chunks = new Chunks();
      else if (head.body !== 'until the end') this.#left = head.body;
    }
  }

  #readBody(bytes: Buffer, { from, to }: { from: number; to: number }): number {
    if (this.#chunks) return this.#readChunks(this.#chunks, { bytes, from, to });
    if (this.head?.body === 'until the end') {
      this.#keep(bytes, { from, to });
      return to;
    }
    const end = Math.min(to, from + this.#left);
    this.#left -= end - from;
    if (this.#left === 0 && this.#size === 0 && end - from <= this.#mostBytes) {
      // A body that arrives in one piece, as most do, needs no copy.
      this.#text = bytes.toString('utf8', from, end);
      this.state = 'complete';
    } else if (this.#keep(bytes, { from, to: end }) && this.#left === 0) this.state = 'complete';
    return end;
  }

  #readChunks(chunks: Chunks, { bytes, from, to }: { bytes: Buffer; from: number; to: number }): number {
    const at = chunks.read(bytes, { from, to }, (start, end) => this.#keep(bytes, { from: start, to: end }));
    if (this.state === 'body' && chunks.state !== 'more') this.state = chunks.state;
    return at;
  }

  /** Keeps a part of the body. False when that is more than what may be kept. */
  #keep(bytes: Buffer, { from, to }: { from: number; to: number }): boolean {
    const end = Math.min(to, from + this.#mostBytes - this.#size);
    this.#reserve(this.#size + end - from);
    bytes.copy(this.#kept, this.#size, from, end);
    this.#size += end - from;
    if (end === to) return true;
    this.state = 'too long';
    return false;
  }

  /** Doubles one buffer: a list of parts would cost far more when each is a single byte. */
  #reserve(size: number): void {
    if (size <= this.#kept.length) return;
    const larger = Buffer.allocUnsafe(Math.min(Math.max(size, 2 * this.#kept.length, 1_024), this.#mostBytes));
    this.#kept.copy(larger, 0, 0, this.#size);
    this.#kept = larger;
  }
}
