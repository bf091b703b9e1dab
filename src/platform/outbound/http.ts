export type HttpRequest = {
  /** An http or https URL. Redirects are not followed. */
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Names and values in turn, which is the fastest form; each name is sent as it is spelled here. */
  headers: string[];
  body?: string | Buffer;
  /** The time for the whole exchange, from waiting for a connection to the last byte, checked every quarter second. */
  timeoutMs: number;
  /** Whose request it is: connections to a server are shared fairly between tenants. */
  tenant?: string;
  /** The most of the answer's body that is kept; 16 KB by default. */
  mostBytes?: number;
};

/** The outcome of a request. Network faults are outcomes too; nothing is thrown for them. */
export type HttpAnswer =
  /** The server answered. `body` holds at most `mostBytes`; `isComplete` is false when it was longer or broke off. */
  | {
      kind: 'answer';
      status: number;
      headers: Readonly<Record<string, string | string[] | undefined>>;
      body: string;
      isComplete: boolean;
    }
  /** Nothing was sent: no DNS answer, no connection, no TLS, or no time left before any of it. */
  | { kind: 'not_sent'; reason: string /** This machine had no means to connect. */; isOwnFault?: boolean }
  /** The egress guard refused the address. */
  | { kind: 'refused'; reason: string }
  /** The connection failed after the request may have been read: the server may or may not have acted on it. */
  | { kind: 'lost'; reason: string };

export type OutboundHttp = {
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Closes at once: requests in flight end as lost or not sent. */
  close(): Promise<void>;
};

/** The same, for requests of one tenant. */
export const forTenant = (http: OutboundHttp, tenant: string): OutboundHttp => ({
  request: (request) => http.request({ ...request, tenant }),
  close: () => http.close(),
});
