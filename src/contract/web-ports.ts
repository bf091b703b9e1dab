/**
 * Ports of other protocols, whose servers could read an HTTP request as their own: the bad ports of the Fetch standard
 * (fetch.spec.whatwg.org, "Port blocking"), which browsers refuse as well, and those of Redis and memcached, which read lines of text.
 */
const otherProtocols = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211,
]);

/** The problem with the port of a web address, in words; null when there is none. */
export const portProblem = ({ port }: URL): string | null =>
  port !== '' && otherProtocols.has(Number(port))
    ? `Port ${port} belongs to another protocol: no web address may name it`
    : null;
