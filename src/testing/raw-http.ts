import { connect } from 'node:net';

/** Sends a request line unchanged, which HTTP clients would correct, and returns the whole answer. */
export const sendRaw = (url: string, { line, host = 'localhost' }: { line: string; host?: string }): Promise<string> =>
  sendBytes(url, `${line}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

/** Sends exactly these bytes, one per character, and returns everything received until the connection ends. */
export function sendBytes(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      answer += text;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
    socket.write(bytes, 'latin1');
  });
}
