/** Describes a network error in words that are useful in a delivery's record. */
export function describeNetworkError(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describeNetworkError(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  const known = sentences[code ?? ''];
  if (known !== undefined) return known;
  // Not OpenSSL's message, which names a thread and a source file.
  if ('library' in error && 'reason' in error) return `TLS: ${String(error.reason)}`;
  // Not the system's message, which contains the address that was reached, perhaps one behind a name.
  return 'syscall' in error ? `the connection failed (${code ?? String(error.syscall)})` : error.message;
}

/** Whether this machine had no means to open a connection or a file: it says nothing about the other side. */
export function isOwnFault(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOwnFault);
  return error instanceof Error && exhausted.has(codeOf(error) ?? '');
}

/** No file left for this process or the system, no space, no memory, no buffer, no port of its own. */
const exhausted = new Set(['EMFILE', 'ENFILE', 'ENOSPC', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL']);

/** The system's code of an error; nodemailer replaces it by its own and keeps it elsewhere. */
function codeOf(error: Error): string | null {
  if ('originalCode' in error && typeof error.originalCode === 'string') return error.originalCode;
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

const sentences: Record<string, string> = {
  EMFILE: 'this process has no file left to open',
  ENFILE: 'this machine has no file left to open',
  ENOSPC: 'this machine has no space left',
  ENOMEM: 'this machine has no memory left',
  ENOBUFS: 'this machine has no memory left',
  EADDRNOTAVAIL: 'this machine has no port left to connect from',
  ECONNREFUSED: 'the server refused the connection',
  ECONNECTION: 'the server closed the connection',
  ECONNRESET: 'the server closed the connection',
  EPIPE: 'the server closed the connection',
  ENOTFOUND: 'the server’s name could not be found',
  ENODATA: 'the server’s name has no address',
  EAI_AGAIN: 'the name server did not answer',
  ETIMEOUT: 'the name server did not answer',
  ETIMEDOUT: 'the server did not answer',
  TLS_TIMEOUT: 'no secure connection in time',
  EHOSTUNREACH: 'the server cannot be reached',
  ENETUNREACH: 'the server’s network cannot be reached',
  CERT_HAS_EXPIRED: 'TLS: the server’s certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'TLS: the server’s certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'TLS: the server’s certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'TLS: the server’s certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'TLS: the server’s certificate is for another name',
  EPROTO: 'TLS: the server does not support it on this port',
  ERR_SSL_WRONG_VERSION_NUMBER: 'TLS: the server does not support it on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'TLS: the server does not support it on this port',
};
