import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { gatherWrites } from '#platform/gathered-writes.ts';

/** A connection that records each system call with what it writes. */
function recorded(options?: Parameters<typeof gatherWrites>[1]) {
  const calls: string[] = [];
  const socket = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => done(void calls.push(String(chunk))),
    writev: (chunks, done) => done(void calls.push(chunks.map(({ chunk }) => String(chunk)).join(''))),
  });
  return { calls, socket: gatherWrites(socket, options) };
}

describe('writes that are gathered', () => {
  it('leave together when they are written within a moment', async () => {
    const { calls, socket } = recorded();
    socket.write('mail');
    process.nextTick(() => socket.write('\r\n.\r\n'));
    await setImmediate();
    await setImmediate();
    socket.write('QUIT');
    await setImmediate();
    await setImmediate();
    expect(calls).toEqual(['mail\r\n.\r\n', 'QUIT']);
  });

  it('leave at the end of the tick when they are scheduled so', async () => {
    const { calls, socket } = recorded({ until: process.nextTick });
    socket.write('begin;');
    // As a driver does around a statement with parameters.
    socket.cork();
    socket.write('select ');
    socket.write('1;');
    socket.uncork();
    expect(calls).toEqual([]);
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(calls).toEqual(['begin;select 1;']);
  });

  it('leave before the connection ends', async () => {
    const { calls, socket } = recorded();
    socket.write('QUIT');
    await new Promise<void>((resolve) => socket.end(resolve));
    expect(calls).toEqual(['QUIT']);
  });

  it('are dropped with a connection that breaks', async () => {
    const { calls, socket } = recorded();
    socket.write('mail');
    socket.destroy();
    await setImmediate();
    await setImmediate();
    expect(calls).toEqual([]);
  });
});
