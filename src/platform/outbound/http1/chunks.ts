import { isHeaderLine } from './answer-head.ts';

/** The line before a chunk. Its extensions are ignored (RFC 9112, 7.1.1). */
const sizeLine = /^([0-9a-f]{1,13})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;

/** The most bytes of such a line. */
const mostLineBytes = 4_096;
const mostTrailerBytes = 16_384;

/** Reads a chunked body as it arrives (RFC 9112, 7.1). */
export class Chunks {
  state: 'more' | 'complete' | 'malformed' = 'more';
  #expects: 'size' | 'data' | 'end of data' | 'trailer' = 'size';
  #left = 0;
  #line = '';
  #trailerBytes = 0;

  /**
   * @param keep gets each part of the data; false ends the reading
   * @returns the position behind what was read
   */
  read(bytes: Buffer, range: { from: number; to: number }, keep: (from: number, to: number) => boolean): number {
    let at = range.from;
    while (at < range.to && this.state === 'more') {
      if (this.#expects !== 'data') {
        at = this.#readLine(bytes, { from: at, to: range.to });
        continue;
      }
      const end = Math.min(at + this.#left, range.to);
      if (!keep(at, end)) return end;
      this.#left -= end - at;
      at = end;
      if (this.#left === 0) this.#expects = 'end of data';
    }
    return at;
  }

  #readLine(bytes: Buffer, { from, to }: { from: number; to: number }): number {
    const found = bytes.indexOf(0x0a, from);
    const isWhole = found !== -1 && found < to;
    const end = isWhole ? found + 1 : to;
    if (this.#line.length + end - from > mostLineBytes) this.state = 'malformed';
    else {
      this.#line += bytes.toString('latin1', from, end);
      if (isWhole) this.#take();
    }
    return end;
  }

  #take(): void {
    const isEnded = this.#line.endsWith('\r\n');
    const line = this.#line.slice(0, -2);
    this.#line = '';
    if (!isEnded || !this.#accepts(line)) this.state = 'malformed';
  }

  #accepts(line: string): boolean {
    if (this.#expects === 'end of data') {
      this.#expects = 'size';
      return line === '';
    }
    if (this.#expects === 'size') {
      const size = sizeLine.exec(line)?.[1];
      if (size === undefined) return false;
      this.#left = Number.parseInt(size, 16);
      this.#expects = this.#left === 0 ? 'trailer' : 'data';
      return true;
    }
    if (line === '') {
      this.state = 'complete';
      return true;
    }
    this.#trailerBytes += line.length + 2;
    return this.#trailerBytes <= mostTrailerBytes && isHeaderLine(line);
  }
}
