import { connect } from 'node:net';

/** Sends a request line as it stands, which no HTTP client would, and returns all that comes back. */
export function sendRaw(url: string, { line, host = 'localhost' }: { line: string; host?: string }): Promise<string> {
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
    socket.write(`${line}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  });
}
