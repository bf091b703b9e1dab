import { Socket } from 'node:net';

type OnWritten = (error?: Error | null) => void;

/**
 * A socket that sends the writes of one event-loop tick together: the statements of a transaction in one system call.
 */
export class BatchingSocket extends Socket {
  override write(chunk: string | Uint8Array, onWritten?: OnWritten): boolean;
  override write(chunk: string | Uint8Array, encoding?: BufferEncoding, onWritten?: OnWritten): boolean;
  override write(chunk: string | Uint8Array, how?: BufferEncoding | OnWritten, onWritten?: OnWritten): boolean {
    if (this.writableCorked === 0) {
      this.cork();
      process.nextTick(() => this.uncork());
    }
    return typeof how === 'function' ? super.write(chunk, how) : super.write(chunk, how, onWritten);
  }
}
